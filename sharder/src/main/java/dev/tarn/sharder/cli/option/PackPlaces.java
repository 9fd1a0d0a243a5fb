package dev.tarn.sharder.cli.option;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

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
    if (absolute(destination).startsWith(absolute(source))) {
      throw new IllegalArgumentException(
          "DEST " + destination + " lies in SOURCE " + source + ": choose one outside of it");
    }
  }

  /**
   * Verifies that no source would be deleted.
   *
   * @throws IOException naming the source
   */
  void requireNoSource(List<StorageUrl> files) throws IOException {
    for (StorageUrl source : sources) {
      StorageUrl folder =
          source.name().equals(DatasetManifest.FILE_NAME) ? source.parent() : source;
      for (StorageUrl file : files) {
        if (absolute(file).startsWith(absolute(folder))) {
          throw new IOException(
              "packing into %s failed: --overwrite would delete %s of the source %s; choose another destination"
                  .formatted(destination, file, source));
        }
      }
    }
  }

  private static String absolute(StorageUrl url) {
    String text =
        url.scheme() == StorageUrl.Scheme.FILE
            ? Path.of(url.path()).toAbsolutePath().normalize().toString()
            : url.toString();
    return text.endsWith("/") ? text : text + "/";
  }
}
