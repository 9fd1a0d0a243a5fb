package dev.tarn.sharder.pack;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.sharder.plan.option.PlanOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Files at the destination of a pack that have the names of its shards, of their side files or of
 * its classes, although neither a dataset names them nor an unfinished pack made them. The pack
 * would replace them, or readers would find them among its shards.
 *
 * @param dataset the destination
 * @param urls of the files, indexes first: a shard without its index counts as unfinished
 */
public record UnnamedFiles(StorageUrl dataset, List<StorageUrl> urls) {
  /** Side files that other programs make of {@code NAME.tar}: DALI's index, and metadata. */
  private static final List<String> FOREIGN_SUFFIXES = List.of(".idx", ".json");

  public UnnamedFiles {
    requireNonNull(dataset, "dataset is null");
    urls = List.copyOf(urls);
  }

  /** Returns no files: an unfinished pack names those at its destination. */
  public static UnnamedFiles none(StorageUrl dataset) {
    return new UnnamedFiles(dataset, List.of());
  }

  /**
   * Lists them.
   *
   * @param options with the patterns of the shards
   * @param named the shards that a dataset names or an unfinished pack made
   * @param classes the name of the file for the classes; empty if an unfinished pack made it
   */
  static UnnamedFiles find(
      Storage storage,
      StorageUrl dataset,
      PlanOptions options,
      Set<String> named,
      Optional<String> classes)
      throws IOException {
    List<StorageUrl> found = new ArrayList<>();
    try (Stream<StoredObject> files = storage.list(dataset)) {
      files
          .map(StoredObject::url)
          .forEach(url -> {
            String name = url.nameUnder(dataset);
            String shard = shard(name);
            if (classes.equals(Optional.of(name))
                || (options.isShardName(shard) && !named.contains(shard))) {
              found.add(url);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.MISSING) {
        throw e;
      }
    }
    found.sort(Comparator.comparing(url -> !url.path().endsWith(ShardIndex.SUFFIX)));
    return new UnnamedFiles(dataset, found);
  }

  /** Returns the shard that a side file belongs to; other names are returned as they are. */
  private static String shard(String name) {
    if (name.endsWith(ShardIndex.SUFFIX)) {
      return name.substring(0, name.length() - ShardIndex.SUFFIX.length());
    }
    for (String suffix : FOREIGN_SUFFIXES) {
      if (name.endsWith(suffix)) {
        return name.substring(0, name.length() - suffix.length()) + ".tar";
      }
    }
    return name;
  }

  /**
   * Verifies that there are none.
   *
   * @throws FileAlreadyExistsException naming the first files
   */
  public void requireNone() throws FileAlreadyExistsException {
    if (!urls.isEmpty()) {
      throw new FileAlreadyExistsException(
          "packing into %s failed: it has %s; choose another destination, or let --overwrite delete them"
              .formatted(dataset, this));
    }
  }

  /** Deletes them. */
  public void delete(Storage storage) throws IOException {
    for (StorageUrl url : urls) {
      storage.delete(url);
    }
  }

  /** Returns how many they are, and the first names. */
  @Override
  public String toString() {
    List<String> names = urls.stream().map(url -> url.nameUnder(dataset)).toList();
    return "%,d %s that no dataset.json names: %s"
        .formatted(names.size(), names.size() == 1 ? "file" : "files", ShardNames.print(names));
  }
}
