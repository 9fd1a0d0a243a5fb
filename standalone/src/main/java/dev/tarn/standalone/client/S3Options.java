package dev.tarn.standalone.client;

import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.standalone.node.KeyPair;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The S3 endpoint and key pair of a command: from flags, the environment, or aws-cli's
 * configuration, in this order.
 */
public final class S3Options {
  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description = "URL of the S3 service; default: as aws-cli.")
  private @Nullable URI endpoint;

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description =
          "File with a key pair as aws-cli writes it; default: TARN_ACCESS_KEY and TARN_SECRET_KEY,"
              + " then the key pair that aws-cli uses.")
  private @Nullable Path credentials;

  /** Whether one of the flags is given. */
  public boolean areGiven() {
    return endpoint != null || credentials != null;
  }

  /**
   * The options to connect to S3.
   *
   * @throws IllegalArgumentException if a flag or an environment variable is invalid
   */
  public StorageOptions storage() {
    StorageOptions.Builder options = StorageOptions.builder();
    if (endpoint != null) {
      options.endpoint(endpoint);
    }
    Optional<KeyPair> pair =
        credentials == null
            ? KeyPair.inEnvironment(System.getenv())
            : Optional.of(KeyPair.requiredIn(credentials, "--credentials"));
    pair.ifPresent(
        given -> options.credentials(AccessKeys.of(given.accessKey(), given.secretKey())));
    return options.build();
  }

  /**
   * Parses a place in S3.
   *
   * @throws IllegalArgumentException if the text is not s3://BUCKET/PREFIX
   */
  public static StorageUrl place(String text) {
    StorageUrl place = StorageUrl.parse(text);
    if (place.scheme() != StorageUrl.Scheme.S3) {
      throw new IllegalArgumentException("'" + text + "' is not s3://BUCKET/PREFIX");
    }
    return place;
  }
}
