package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * A directory tree, at the least cost for each file: one look at it when listing, then one open,
 * read and close. Files whose names are not ASCII are read another way, since Java encodes names by
 * the locale.
 */
public final class DirectorySource implements Source {
  private final Path root;
  private final Source other;

  /**
   * @param other the same tree, for files whose names are not ASCII
   */
  public DirectorySource(Path root, Source other) {
    this.root = requireNonNull(root, "root is null");
    this.other = requireNonNull(other, "other is null");
  }

  /**
   * Symbolic links are followed; what is neither file nor directory is left out.
   *
   * @throws NoSuchFileException if a link leads nowhere: whoever made it wanted a file there
   */
  @Override
  public List<SourceFile> list() throws IOException {
    if (!Files.isDirectory(root)) {
      throw new NotDirectoryException(root.toString());
    }
    Visitor visitor = new Visitor(root);
    Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, visitor);
    return visitor.files;
  }

  private static final class Visitor extends SimpleFileVisitor<Path> {
    private final int prefixLength;
    private final int rawPrefixLength;
    private final List<SourceFile> files = new ArrayList<>();

    Visitor(Path root) {
      prefixLength = root.resolve("x").toString().length() - 1;
      rawPrefixLength = root.resolve("x").toUri().getRawPath().length() - 1;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
        throws NoSuchFileException {
      if (attributes.isSymbolicLink()) {
        throw new NoSuchFileException(path.toString(), null, "a symbolic link that leads nowhere");
      }
      if (attributes.isRegularFile()) {
        String name = path.toString().substring(prefixLength);
        files.add(new SourceFile(isAscii(name) ? name : rawName(path), attributes.size()));
      }
      return FileVisitResult.CONTINUE;
    }

    /** The name's very bytes, whatever the locale makes of them: a URI spells them one by one. */
    private String rawName(Path path) {
      String raw = path.toUri().getRawPath();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int i = rawPrefixLength; i < raw.length(); i++) {
        char c = raw.charAt(i);
        if (c == '%') {
          bytes.write(Integer.parseInt(raw, i + 1, i + 3, 16));
          i += 2;
        } else {
          bytes.write(c);
        }
      }
      return MemberNames.decode(bytes.toByteArray());
    }
  }

  private static boolean isAscii(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int read(SourceFile file, ByteBuffer target) throws IOException {
    if (!isAscii(file.name())) {
      return other.read(file, target);
    }
    int start = target.position();
    try (FileChannel channel = channel(file)) {
      // One byte more than announced has room, so a single short read tells that the file ends.
      while (target.hasRemaining()) {
        int wanted = target.remaining();
        int read = channel.read(target);
        if (read < wanted) {
          break;
        }
      }
    }
    return target.position() - start;
  }

  @Override
  public ReadableByteChannel open(SourceFile file) throws IOException {
    return isAscii(file.name()) ? channel(file) : other.open(file);
  }

  private FileChannel channel(SourceFile file) throws IOException {
    return FileChannel.open(root.resolve(file.name()), StandardOpenOption.READ);
  }
}
