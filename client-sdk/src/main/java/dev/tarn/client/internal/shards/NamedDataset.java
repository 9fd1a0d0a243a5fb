package dev.tarn.client.internal.shards;

import dev.tarn.client.origin.DataOrigin;
import dev.tarn.client.origin.OriginListener;
import dev.tarn.client.origin.OriginStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.order.MixSchedule;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * One dataset of a builder, not yet looked up.
 *
 * @param weight if it is mixed with others by weights
 * @param origin of its files, if it has one
 */
public record NamedDataset(Naming naming, OptionalDouble weight, Optional<Location> origin) {
  /** A folder of another storage. */
  public record Location(String url, StorageOptions options) {}

  /** One way of naming shards. */
  public interface Naming {
    /** Looks the shards up. */
    ShardCatalog catalog(Storage storage) throws IOException;

    /**
     * The folder of all its files.
     *
     * @throws IllegalArgumentException if they have no folder in common
     */
    StorageUrl folder();
  }

  /** Shards that a manifest lists; by the URL of the manifest or of its folder. */
  public record OfManifest(String url) implements Naming {
    @Override
    public ShardCatalog catalog(Storage storage) throws IOException {
      return ShardSources.ofManifest(storage, StorageUrl.parse(url));
    }

    StorageUrl file() {
      return ShardSources.manifestFile(StorageUrl.parse(url));
    }

    @Override
    public StorageUrl folder() {
      return file().parent();
    }
  }

  /** Shards whose URLs are known. */
  public record OfUrls(Supplier<ShardCatalog> shards) implements Naming {
    @Override
    public ShardCatalog catalog(Storage storage) {
      return shards.get();
    }

    @Override
    public StorageUrl folder() {
      List<StorageUrl> folders =
          shards.get().shards().stream()
              .map(ShardSource::url)
              .map(StorageUrl::parent)
              .distinct()
              .toList();
      if (folders.size() != 1) {
        throw new IllegalArgumentException(
            "the shards lie in %d folders, expected one, because they have an origin"
                .formatted(folders.size()));
      }
      return folders.get(0);
    }
  }

  /**
   * Checks a weight.
   *
   * @param name of the dataset, for the message
   */
  public static OptionalDouble weight(String name, double weight) {
    if (!(weight > 0) || Double.isInfinite(weight)) {
      throw new IllegalArgumentException(
          "weight %s of %s is not a positive number".formatted(weight, withoutSecrets(name)));
    }
    return OptionalDouble.of(weight);
  }

  /**
   * The schedule of a mix.
   *
   * @param datasets of which all have weights, or none
   * @param counts of their samples
   */
  public static MixSchedule schedule(List<NamedDataset> datasets, long[] counts) {
    MixSchedule even = new MixSchedule(counts);
    if (datasets.get(0).weight().isEmpty()) {
      return even;
    }
    double[] weights =
        datasets.stream().mapToDouble(dataset -> dataset.weight().orElseThrow()).toArray();
    MixSchedule schedule = MixSchedule.of(weights, even.length());
    for (int i = 0; i < weights.length; i++) {
      if (schedule.items(i) == 0 && schedule.length() > 0) {
        throw new IllegalArgumentException(
            "dataset %d of %d with the weight %s gets none of the %d samples of an epoch; set a larger weight"
                .formatted(i + 1, weights.length, weights[i], schedule.length()));
      }
    }
    return schedule;
  }

  /** A spec need not be a URL before its braces are expanded. */
  public static String withoutSecrets(String name) {
    return name.replaceFirst("\\?.*", "").replaceFirst("//[^/]*@", "//");
  }

  /** The same dataset with an origin. */
  public NamedDataset withOrigin(String url, StorageOptions options) {
    return new NamedDataset(naming, weight, Optional.of(new Location(url, options)));
  }

  /**
   * The same dataset with the origin that the server of its manifest named, unless it has one.
   *
   * @param storage that has read the manifest
   * @param options whose limits and retries hold for the origin, too
   */
  public NamedDataset withNamedOrigin(Storage storage, StorageOptions options) throws IOException {
    if (origin.isPresent() || !(naming instanceof OfManifest manifest)) {
      return this;
    }
    return storage
        .namedOrigin(manifest.file())
        .map(named -> withOrigin(named.url().parent().toString(), optionsOf(named, options)))
        .orElse(this);
  }

  private static StorageOptions optionsOf(Storage.NamedOrigin origin, StorageOptions options) {
    StorageOptions.Builder builder =
        StorageOptions.builder()
            .region(origin.region())
            .connectTimeout(options.connectTimeout())
            .idleTimeout(options.idleTimeout())
            .connectionsMax(options.connectionsMax())
            .retries(options.retries())
            .pacing(options.pacing());
    origin.endpoint().ifPresent(builder::endpoint);
    return builder.build();
  }

  /** Makes a storage read the dataset's files from their origin, if they have one. */
  public Storage through(Storage storage, OriginListener listener) {
    return origin
        .map(location ->
            (Storage)
                new OriginStorage(
                    storage,
                    new DataOrigin(
                        naming.folder(), StorageUrl.parse(location.url()), location.options()),
                    listener))
        .orElse(storage);
  }
}
