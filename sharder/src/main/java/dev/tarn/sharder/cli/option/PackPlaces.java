package dev.tarn.sharder.cli.option;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * The sources and the destination of a pack.
 *
 * @param sources in order
 * @param destination the dataset's folder
 */
public record PackPlaces(List<StorageUrl> sources, StorageUrl destination) {
  /** Parses a command's words: sources, then the destination. */
  public static PackPlaces of(List<String> words, StorageMixin storageOptions) {
    PackPlaces places =
        new PackPlaces(
            words.subList(0, words.size() - 1).stream().map(storageOptions::url).toList(),
            storageOptions.url(words.getLast()));
    try {
      places.sources.forEach(source -> requireApart(source, places.destination));
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
    return places;
  }

  /** Rejects a destination inside a source: the next run would pack the shards. */
  private static void requireApart(StorageUrl source, StorageUrl destination) {
    if (isWithin(RealPlaces.of(destination), RealPlaces.of(source))) {
      throw new IllegalArgumentException(
          "DEST " + destination + " lies in SOURCE " + source + ": choose one outside of it");
    }
  }

  /**
   * Verifies that no file would be deleted that is a source or lies in one.
   *
   * @throws IOException naming the source
   */
  void requireNoSource(List<StorageUrl> files) throws IOException {
    for (StorageUrl source : sources) {
      StorageUrl folder =
          source.name().equals(DatasetManifest.FILE_NAME) ? source.parent() : source;
      Set<String> places = RealPlaces.of(folder);
      for (StorageUrl file : files) {
        if (isWithin(RealPlaces.of(file), places)) {
          throw deletesSource(destination, file, source.toString());
        }
      }
    }
  }

  static IOException deletesSource(StorageUrl destination, StorageUrl file, String source) {
    return new IOException(
        "packing into %s failed: --overwrite would delete %s of the source %s; choose another destination"
            .formatted(destination, file, source));
  }

  private static boolean isWithin(Set<String> places, Set<String> folders) {
    return places.stream().anyMatch(place -> folders.stream().anyMatch(place::startsWith));
  }
}
