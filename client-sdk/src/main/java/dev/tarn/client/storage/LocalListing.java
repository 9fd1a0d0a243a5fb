package dev.tarn.client.storage;

import dev.tarn.shard.name.MemberNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lists the files below a directory in the byte order of their relative names.
 *
 * <p>Each directory is sorted as if the names of its subdirectories ended in a slash, which yields
 * the order of the whole names. The sorted names of the directories from the top down to the
 * current one are in memory.
 */
final class LocalListing extends Spliterators.AbstractSpliterator<StoredObject> {
  private record Entry(String name, Path path) {
    boolean isDirectory() {
      return name.endsWith("/");
    }
  }

  private record Level(StorageUrl folder, Object fileKey, Iterator<Entry> entries) {}

  private final Deque<Level> levels = new ArrayDeque<>();

  private LocalListing() {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT);
  }

  static Stream<StoredObject> of(StorageUrl folder) throws IOException {
    LocalListing listing = new LocalListing();
    StorageUrl top = new StorageUrl(folder.scheme(), "", folder.folderPath());
    listing.enter(top, LocalFiles.path(folder));
    return StreamSupport.stream(listing, false);
  }

  @Override
  public boolean tryAdvance(Consumer<? super StoredObject> action) {
    while (!levels.isEmpty()) {
      Level level = levels.getLast();
      if (!level.entries.hasNext()) {
        levels.removeLast();
        continue;
      }
      Entry entry = level.entries.next();
      StorageUrl url = level.folder.child(entry.name);
      try {
        if (entry.isDirectory()) {
          enter(url, entry.path);
          continue;
        }
        StoredObject file = file(url, entry.path);
        if (file != null) {
          action.accept(file);
          return true;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(LocalFiles.translate(url, "cannot list it", e));
      }
    }
    return false;
  }

  /** Null if it is not a regular file, or was deleted after its name was read. */
  private static @Nullable StoredObject file(StorageUrl url, Path path) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return attributes.isRegularFile() ? LocalFiles.describe(url, attributes) : null;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private void enter(StorageUrl folder, Path directory) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(directory, BasicFileAttributes.class);
    if (!attributes.isDirectory()) {
      throw new NotDirectoryException(directory.toString());
    }
    Object fileKey = attributes.fileKey() == null ? directory.toRealPath() : attributes.fileKey();
    if (levels.stream().anyMatch(level -> level.fileKey.equals(fileKey))) {
      throw new FileSystemLoopException(directory.toString());
    }
    levels.addLast(new Level(folder, fileKey, sorted(directory).iterator()));
  }

  private static List<Entry> sorted(Path directory) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path path : stream) {
        String name = MemberNames.decode(LocalFiles.nameBytes(path));
        if (!name.startsWith(LocalWriter.TEMPORARY_PREFIX)) {
          entries.add(new Entry(Files.isDirectory(path) ? name + "/" : name, path));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    entries.sort((a, b) -> MemberNames.compare(a.name, b.name));
    return entries;
  }
}
