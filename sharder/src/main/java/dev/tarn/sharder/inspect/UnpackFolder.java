package dev.tarn.sharder.inspect;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.LocalPaths;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A folder that files are unpacked into: none of them leads out of it, and each appears under its
 * name only when it is whole. For use by many threads at once.
 */
public final class UnpackFolder {
  /** Listings of ours leave such names out. */
  private static final String TEMPORARY_PREFIX = ".tarn-part-";

  /** Writes a file's bytes. */
  interface Content {
    void write(FileChannel target) throws IOException;
  }

  private final StorageUrl folder;
  private final Existing existing;
  private final String run = UUID.randomUUID().toString();
  private final AtomicLong files = new AtomicLong();

  /** The directory that was written into last, which is there and inside. */
  private volatile @Nullable Path known;

  /**
   * @param folder a local one, made if it is not there
   */
  public UnpackFolder(StorageUrl folder, Existing existing) {
    this.folder = requireNonNull(folder, "folder is null");
    this.existing = requireNonNull(existing, "existing is null");
    if (folder.scheme() != StorageUrl.Scheme.FILE) {
      throw new IllegalArgumentException(folder + ": files are unpacked into a local folder alone");
    }
  }

  /**
   * The file of a member.
   *
   * @throws IOException if its name leads out of the folder
   */
  Path path(String name) throws IOException {
    List<String> parts = new ArrayList<>();
    for (String part : name.split("/", -1)) {
      if (part.equals("..")) {
        throw leadsOut(name);
      }
      if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    if (parts.isEmpty() || name.startsWith("/")) {
      throw leadsOut(name);
    }
    return LocalPaths.of(folder.child(String.join("/", parts))).toAbsolutePath();
  }

  private IOException leadsOut(String name) {
    return new IOException(
        "member %s leads out of %s: it is not unpacked, nor is what follows it"
            .formatted(MemberNames.printable(name), folder));
  }

  /** Whether a file is to be left as it is. */
  boolean isKept(Path file) throws IOException {
    if (existing == Existing.REPLACE || !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    if (existing == Existing.ABORT) {
      throw new FileAlreadyExistsException(
          file + ": is there already; --existing skip keeps such files, --existing replace not");
    }
    return true;
  }

  /** Writes a file. */
  void write(Path file, Content content) throws IOException {
    Path directory = requireNonNull(file.getParent(), "a file in the folder has a parent");
    if (!directory.equals(known)) {
      make(directory);
      known = directory;
    }
    Path temporary = directory.resolve(TEMPORARY_PREFIX + run + "-" + files.incrementAndGet());
    try (FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      content.write(channel);
      if (existing == Existing.REPLACE) {
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.move(temporary, file);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** A link that is there already may lead anywhere. */
  private void make(Path directory) throws IOException {
    Path top = LocalPaths.of(folder).toAbsolutePath();
    Files.createDirectories(top);
    Path inside = top;
    for (Path part : top.relativize(directory)) {
      inside = inside.resolve(part);
      if (Files.isSymbolicLink(inside)) {
        throw new IOException(
            inside + ": is a symbolic link in the way of a folder; what leads out is not followed");
      }
    }
    Files.createDirectories(directory);
  }
}
