package dev.tarn.client.internal.shards;

import dev.tarn.client.origin.DataOrigin;
import dev.tarn.client.origin.OriginListener;
import dev.tarn.client.origin.OriginStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
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
public record NamedDataset(Naming naming, OptionalDouble weight, Optional<Place> origin) {
  /** A folder of another storage. */
  public record Place(String url, StorageOptions options) {}

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

    @Override
    public StorageUrl folder() {
      StorageUrl parsed = StorageUrl.parse(url);
      return parsed.name().endsWith(".json") ? parsed.parent() : parsed;
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

  /** A spec need not be a URL before its braces are expanded. */
  public static String withoutSecrets(String name) {
    return name.replaceFirst("\\?.*", "").replaceFirst("//[^/]*@", "//");
  }

  /** The same dataset with an origin. */
  public NamedDataset withOrigin(String url, StorageOptions options) {
    return new NamedDataset(naming, weight, Optional.of(new Place(url, options)));
  }

  /** Makes a storage read the dataset's files from their origin, if they have one. */
  public Storage through(Storage storage, OriginListener listener) {
    return origin
        .map(place ->
            (Storage)
                new OriginStorage(
                    storage,
                    new DataOrigin(naming.folder(), StorageUrl.parse(place.url()), place.options()),
                    listener))
        .orElse(storage);
  }
}
