package dev.tarn.client.write;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardPattern;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Files at the place of a new dataset: none, or those that a killed writer left. */
final class Leftovers {
  private final Storage storage;
  private final StorageUrl dataset;
  private final ShardPattern pattern;
  private final String folder;

  /**
   * Looks at a place.
   *
   * @param folder of the shards below the dataset, with a slash; may be empty
   */
  Leftovers(Storage storage, StorageUrl dataset, ShardPattern pattern, String folder) {
    this.storage = storage;
    this.dataset = dataset;
    this.pattern = pattern;
    this.folder = folder;
  }

  /**
   * Requires that the place is free.
   *
   * @param replaces whether shards without a manifest are deleted
   * @throws FileAlreadyExistsException naming the file that exists
   */
  void clear(boolean replaces) throws IOException {
    requireNoManifest();
    // The index is deleted before its shard: a shard without an index does not count as finished.
    Set<Integer> numbers = new TreeSet<>();
    for (String suffix : List.of(ShardIndex.SUFFIX, "")) {
      for (StoredObject file : files(suffix, numbers)) {
        if (!replaces) {
          throw new FileAlreadyExistsException(
              file.url()
                  + ": a shard without a manifest is there, from a writer that was killed or"
                  + " another program; delete it, choose another place, or let the writer replace"
                  + " it");
        }
        storage.delete(file.url());
      }
    }
    if (replaces) {
      storage.discardUnfinished(dataset, names(numbers));
    }
  }

  /**
   * Requires that nobody has written a shard, or a dataset, since the place was cleared.
   *
   * @throws FileAlreadyExistsException naming the file that exists
   */
  void requireFree(String shard) throws IOException {
    // Another writer may have completed a dataset of shards with these names meanwhile.
    requireNoManifest();
    for (String name : List.of(shard, shard + ShardIndex.SUFFIX)) {
      StorageUrl file = dataset.child(name);
      if (storage.exists(file)) {
        throw new FileAlreadyExistsException(
            "writing a shard failed: another process wrote %s meanwhile; let one writer at a time write to a place"
                .formatted(file));
      }
    }
  }

  void requireNoManifest() throws IOException {
    StorageUrl manifest = dataset.child(DatasetManifest.FILE_NAME);
    if (storage.exists(manifest)) {
      throw new FileAlreadyExistsException(
          manifest + ": a dataset is there already; choose another place or delete that one");
    }
  }

  /** The existing shards, or their indexes, and their numbers. */
  private List<StoredObject> files(String suffix, Set<Integer> numbers) throws IOException {
    try (Stream<StoredObject> files = storage.list(dataset)) {
      return files
          .filter(file -> {
            OptionalInt number = number(file.url().nameUnder(dataset), suffix);
            number.ifPresent(numbers::add);
            return number.isPresent();
          })
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return List.of();
      }
      throw e;
    }
  }

  private OptionalInt number(String name, String suffix) {
    return name.startsWith(folder) && name.endsWith(suffix)
        ? pattern.number(name.substring(folder.length(), name.length() - suffix.length()))
        : OptionalInt.empty();
  }

  /** Names of shards that a killed writer may have begun: up to one after the existing ones. */
  private Set<String> names(Set<Integer> numbers) {
    Set<String> names = new HashSet<>(Set.of(DatasetManifest.FILE_NAME));
    Set<Integer> begun = new TreeSet<>(numbers);
    begun.add(numbers.stream().mapToInt(Integer::intValue).max().orElse(-1) + 1);
    for (int number : begun) {
      names.add(folder + pattern.name(number));
      names.add(folder + pattern.name(number) + ShardIndex.SUFFIX);
    }
    return names;
  }
}
