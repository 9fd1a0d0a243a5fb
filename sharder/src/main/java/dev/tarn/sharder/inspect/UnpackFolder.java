package dev.tarn.sharder.inspect;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.source.LocalPaths;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
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
 * A folder that files are unpacked into. No file can be outside of it, and each file appears
 * atomically. Thread-safe.
 */
public final class UnpackFolder {
  /** Tarn's own listings skip names with this prefix. */
  private static final String TEMPORARY_PREFIX = ".tarn-part-";

  /** Writes a file's bytes. */
  interface Content {
    void write(FileChannel target) throws IOException;
  }

  private final StorageUrl folder;
  private final Existing existing;
  private final String run = UUID.randomUUID().toString();
  private final AtomicLong files = new AtomicLong();

  /** The directory of the last written file; it exists, and is inside the folder. */
  private volatile @Nullable Path known;

  /**
   * @param folder a local folder, created if it does not exist
   */
  public UnpackFolder(StorageUrl folder, Existing existing) {
    this.folder = requireNonNull(folder, "folder is null");
    this.existing = requireNonNull(existing, "existing is null");
    if (folder.scheme() != StorageUrl.Scheme.FILE) {
      throw new IllegalArgumentException(folder + ": files are unpacked into a local folder alone");
    }
  }

  /**
   * Returns the name in the folder of a member's file.
   *
   * @throws IOException if the name leads out of the folder
   */
  String name(ShardPlace shard, String member) throws IOException {
    List<String> parts = new ArrayList<>();
    for (String part : member.split("/", -1)) {
      if (part.equals("..")) {
        throw leadsOut(shard, member);
      }
      if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    if (parts.isEmpty() || member.startsWith("/")) {
      throw leadsOut(shard, member);
    }
    return String.join("/", parts);
  }

  private IOException leadsOut(ShardPlace shard, String member) {
    return new IOException(
        "%s: member %s leads out of %s; neither it nor any later member is unpacked"
            .formatted(shard, MemberNames.printable(member), folder));
  }

  /** Returns the path of a name. */
  Path path(String name) {
    return LocalPaths.of(folder.child(name)).toAbsolutePath();
  }

  /**
   * Returns whether an existing file is kept.
   *
   * @param shard a shard that has the file
   */
  boolean isKept(ShardPlace shard, Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    if (Files.isDirectory(file)) {
      throw new FileSystemException(
          file.toString(), null, "is a folder, where " + shard + " has a file");
    }
    if (existing == Existing.ABORT) {
      throw new FileAlreadyExistsException(
          file.toString(),
          null,
          "exists already and is in %s; --existing skip keeps such files, --existing replace replaces them"
              .formatted(shard));
    }
    return existing == Existing.SKIP;
  }

  /**
   * Writes a file of a shard.
   *
   * @return false if another writer created the file in the meantime, and it is kept
   */
  boolean write(ShardPlace shard, Path file, Content content) throws IOException {
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
        moveUnlessThere(temporary, file);
      }
      return true;
    } catch (FileAlreadyExistsException e) {
      return !isKept(shard, file);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /**
   * Makes a hard link, which is atomic and never replaces a file; moves if the file system has no
   * links.
   */
  private static void moveUnlessThere(Path temporary, Path file) throws IOException {
    try {
      Files.createLink(file, temporary);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      Files.move(temporary, file);
    }
  }

  /** Creates a directory; rejects symbolic links on the way, because they may lead anywhere. */
  private void make(Path directory) throws IOException {
    Path top = LocalPaths.of(folder).toAbsolutePath();
    Files.createDirectories(top);
    Path inside = top;
    for (Path part : top.relativize(directory)) {
      inside = inside.resolve(part);
      if (Files.isSymbolicLink(inside)) {
        throw new IOException(
            inside
                + ": is a symbolic link in the way of a folder; links that lead out are not"
                + " followed");
      }
    }
    try {
      Files.createDirectories(directory);
    } catch (FileAlreadyExistsException e) {
      throw new FileSystemException(e.getFile(), null, "is a file in the way of a folder");
    }
  }
}
