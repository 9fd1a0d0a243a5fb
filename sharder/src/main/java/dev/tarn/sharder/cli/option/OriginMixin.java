package dev.tarn.sharder.cli.option;

import dev.tarn.client.origin.DataOrigin;
import dev.tarn.client.origin.OriginListener;
import dev.tarn.client.origin.OriginStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.shard.ShardSelection;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of the origin from which files are read while Tarn cannot serve them. */
@Command
public final class OriginMixin {
  @Option(
      names = "--origin",
      paramLabel = "URL",
      description =
          "A folder that has the same files; they are read there while Tarn cannot serve them.")
  private @Nullable String origin;

  @Option(
      names = "--origin-endpoint-url",
      paramLabel = "URL",
      description = "The S3 endpoint of the origin (default: Amazon's own).")
  private @Nullable URI endpoint;

  @Option(
      names = "--origin-profile",
      paramLabel = "NAME",
      description = "The AWS profile that has the origin's credentials (default: as without it).")
  private @Nullable String profile;

  /**
   * Opens the storage.
   *
   * @param urls of the datasets and shards to be read
   */
  public Storage open(StorageMixin storageOptions, List<StorageUrl> urls) {
    try {
      if (origin == null && (endpoint != null || profile != null)) {
        throw new IllegalArgumentException(
            "--origin-endpoint-url and --origin-profile need --origin, which names the folder");
      }
      if (origin == null) {
        return storageOptions.open();
      }
      DataOrigin place = new DataOrigin(folder(urls), StorageUrl.parse(origin), options());
      return new OriginStorage(storageOptions.open(), place, OriginListener.NONE);
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
  }

  private StorageOptions options() {
    StorageOptions.Builder options = StorageOptions.builder();
    if (endpoint != null) {
      options.endpoint(endpoint);
    }
    if (profile != null) {
      options.profile(profile);
    }
    return options.build();
  }

  private static StorageUrl folder(List<StorageUrl> urls) {
    List<StorageUrl> folders =
        urls.stream()
            .map(url ->
                ShardPlace.isShardName(url.path()) ? url.parent() : ShardSelection.dataset(url))
            .map(url -> new StorageUrl(url.scheme(), url.authority(), url.folderPath()))
            .distinct()
            .toList();
    if (folders.size() != 1) {
      throw new IllegalArgumentException(
          "--origin needs all shards in one folder, but they are in %d".formatted(folders.size()));
    }
    return folders.getFirst();
  }
}
