package dev.tarn.client.origin;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import java.util.Optional;

/**
 * The origin of objects that Tarn caches; they can be read there while Tarn cannot serve them.
 *
 * @param folder at Tarn; only objects below it are read from the origin
 * @param url the folder at the origin that has the same objects under the same names
 * @param options of the origin. Without an endpoint in them, S3 is Amazon's own: configured
 *     endpoints, such as AWS_ENDPOINT_URL, are Tarn's and do not count. Credentials come from the
 *     AWS chain if the options have none.
 */
public record DataOrigin(StorageUrl folder, StorageUrl url, StorageOptions options) {
  /** Checks the parts. */
  public DataOrigin {
    requireNonNull(folder, "folder is null");
    requireNonNull(url, "url is null");
    requireNonNull(options, "options is null");
    if (folder.scheme() == StorageUrl.Scheme.FILE) {
      throw new IllegalArgumentException(
          "%s is a local folder and has no origin; expected a folder at Tarn".formatted(folder));
    }
  }

  /** Opens the origin's storage; connects when first needed. */
  Storage storage() {
    return Storage.open(options.ignoringConfiguredEndpoint());
  }

  /** The URL of this object or folder at the origin; empty if it is not below the folder. */
  Optional<StorageUrl> at(StorageUrl tarn) {
    return translate(tarn, folder, url);
  }

  /** The URL at Tarn of this object of the origin. */
  StorageUrl back(StorageUrl origin) {
    return translate(origin, url, folder).orElseThrow();
  }

  private static Optional<StorageUrl> translate(StorageUrl object, StorageUrl from, StorageUrl to) {
    String prefix = from.folderPath();
    if (object.scheme() != from.scheme() || !object.authority().equals(from.authority())) {
      return Optional.empty();
    }
    if (object.folderPath().equals(prefix)) {
      return Optional.of(to);
    }
    if (!object.path().startsWith(prefix)) {
      return Optional.empty();
    }
    return Optional.of(
        new StorageUrl(to.scheme(), to.authority(), to.folderPath() + object.nameUnder(from)));
  }
}
