package dev.tarn.standalone.s3;

import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.standalone.node.KeyPair;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where S3 is and who asks: flags, environment, and else as aws-cli finds them. */
public final class S3Options {
  @Option(names = "--endpoint", paramLabel = "URL", description = "Of S3; else aws-cli's.")
  private @Nullable URI endpoint;

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description =
          "A key pair in aws-cli's form; else TARN_ACCESS_KEY and TARN_SECRET_KEY, else aws-cli's.")
  private @Nullable Path credentials;

  /** Whether a flag says something. */
  public boolean areGiven() {
    return endpoint != null || credentials != null;
  }

  /**
   * How S3 is reached.
   *
   * @throws IllegalArgumentException if a flag or a variable cannot be right
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
   * A place that a flag or parameter names.
   *
   * @throws IllegalArgumentException if it is not in S3
   */
  public static StorageUrl place(String text) {
    StorageUrl place = StorageUrl.parse(text);
    if (place.scheme() != StorageUrl.Scheme.S3) {
      throw new IllegalArgumentException("'" + text + "' is not s3://BUCKET/PREFIX");
    }
    return place;
  }
}
