package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
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
 * read and close. Names that are not ASCII go another way, since Java decodes them by the locale.
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

  /** Symbolic links are followed; what is neither file nor directory is left out. */
  @Override
  public List<SourceFile> list() throws IOException {
    if (!Files.isDirectory(root)) {
      throw new NotDirectoryException(root.toString());
    }
    Visitor visitor = new Visitor(root.resolve("x").toString().length() - 1);
    Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, visitor);
    return visitor.ascii ? visitor.files : other.list();
  }

  private static final class Visitor extends SimpleFileVisitor<Path> {
    private final int prefixLength;
    private final List<SourceFile> files = new ArrayList<>();
    private boolean ascii = true;

    Visitor(int prefixLength) {
      this.prefixLength = prefixLength;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      if (!attributes.isRegularFile()) {
        return FileVisitResult.CONTINUE;
      }
      String name = path.toString().substring(prefixLength);
      if (!isAscii(name)) {
        ascii = false;
        return FileVisitResult.TERMINATE;
      }
      files.add(new SourceFile(name, attributes.size()));
      return FileVisitResult.CONTINUE;
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
