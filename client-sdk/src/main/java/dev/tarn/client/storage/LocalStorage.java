package dev.tarn.client.storage;

import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Files of this machine. */
public final class LocalStorage implements Storage {
  @Override
  public Stream<StoredObject> list(StorageUrl folder) throws IOException {
    try {
      return LocalListing.of(folder);
    } catch (IOException e) {
      throw LocalFiles.translate(folder, "cannot list it", e);
    }
  }

  @Override
  public StoredObject stat(StorageUrl url) throws IOException {
    try {
      return stat(url, LocalFiles.path(url));
    } catch (IOException e) {
      throw LocalFiles.translate(url, "cannot look it up", e);
    }
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    try {
      Path path = LocalFiles.path(url);
      StoredObject object = stat(url, path);
      Range range = Range.within(object, offset, end, etag);
      return new LocalStream(object, FileChannel.open(path, StandardOpenOption.READ), range);
    } catch (IOException e) {
      throw LocalFiles.translate(url, "cannot open it", e);
    }
  }

  @Override
  public ObjectWriter create(StorageUrl url) throws IOException {
    try {
      return LocalWriter.create(url);
    } catch (IOException e) {
      throw LocalFiles.translate(url, "cannot create it", e);
    }
  }

  @Override
  public void delete(StorageUrl url) throws IOException {
    try {
      Path path = LocalFiles.path(url);
      if (Files.isDirectory(path)) {
        deleteFolder(url, path);
        return;
      }
      Path directory = path.getParent();
      if (Files.deleteIfExists(path) && directory != null) {
        LocalFiles.syncDirectory(directory);
      }
    } catch (IOException e) {
      throw LocalFiles.translate(url, "cannot delete it", e);
    }
  }

  private static void deleteFolder(StorageUrl url, Path path) throws IOException {
    if (!url.path().endsWith("/")) {
      throw new StorageException(Kind.INVALID, url, "is a directory, expected a file");
    }
    try {
      Files.delete(path);
    } catch (DirectoryNotEmptyException e) {
      // The folder stays, as an S3 folder with objects does.
    }
  }

  @Override
  public void discardUnfinished(StorageUrl folder, Set<String> names) throws IOException {
    Map<Path, Set<String>> prefixes = new HashMap<>();
    for (String name : names) {
      Path destination = LocalFiles.path(folder.child(name));
      prefixes
          .computeIfAbsent(destination.resolveSibling(""), directory -> new HashSet<>())
          .add(LocalWriter.temporaryPrefix(destination));
    }
    try {
      for (Map.Entry<Path, Set<String>> directory : prefixes.entrySet()) {
        discardUnfinished(directory.getKey(), directory.getValue());
      }
    } catch (DirectoryIteratorException e) {
      throw new StorageException(
          Kind.FAILED, folder, "cannot look for unfinished files: " + e.getMessage(), e);
    } catch (IOException e) {
      throw LocalFiles.translate(folder, "cannot delete unfinished files", e);
    }
  }

  private static void discardUnfinished(Path directory, Set<String> prefixes) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, LocalWriter.TEMPORARY_PREFIX + "*")) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        if (prefixes.contains(
            name.substring(0, Math.max(0, name.length() - LocalWriter.RANDOM_LENGTH)))) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  @Override
  public void close() {}

  private static StoredObject stat(StorageUrl url, Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      String what = attributes.isDirectory() ? "is a directory" : "is no regular file";
      throw new StorageException(Kind.INVALID, url, what + ", expected a file");
    }
    return LocalFiles.describe(url, attributes);
  }
}
