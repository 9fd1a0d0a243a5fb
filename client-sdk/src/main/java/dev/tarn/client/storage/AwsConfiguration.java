package dev.tarn.client.storage;

import java.net.URI;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;

/**
 * Finds endpoint, region and credentials in the order of aws-cli: options, environment, profile,
 * defaults. The order is written out here because the Java SDK's differs: it ignores
 * AWS_DEFAULT_REGION.
 */
final class AwsConfiguration {
  private final StorageOptions options;
  private final Function<String, @Nullable String> environment;
  private final ProfileFile profiles;
  private final String profileName;

  AwsConfiguration(
      StorageOptions options,
      Function<String, @Nullable String> environment,
      ProfileFile profiles) {
    this.options = options;
    this.environment = environment;
    this.profiles = profiles;
    this.profileName = options.profile().or(() -> variable("AWS_PROFILE")).orElse("default");
    if (!profileName.equals("default") && profiles.profile(profileName).isEmpty()) {
      throw new IllegalArgumentException(
          "AWS profile %s is in neither the config nor the credentials file"
              .formatted(profileName));
    }
  }

  /** Reads this process's environment and this user's files. */
  static AwsConfiguration of(StorageOptions options) {
    return new AwsConfiguration(options, System::getenv, ProfileFile.defaultProfileFile());
  }

  /** The S3 endpoint; empty for Amazon's own. */
  Optional<URI> endpoint() {
    if (options.endpoint().isPresent()) {
      return options.endpoint();
    }
    if (options.ignoreConfiguredEndpoint()
        || variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
            .filter("true"::equalsIgnoreCase)
            .isPresent()) {
      return Optional.empty();
    }
    Optional<Profile> profile = profiles.profile(profileName);
    return Stream.of(
            variable("AWS_ENDPOINT_URL_S3"),
            variable("AWS_ENDPOINT_URL"),
            profile
                .flatMap(found -> found.property("services"))
                .flatMap(name -> profiles.getSection("services", name))
                .flatMap(section -> section.property("s3.endpoint_url")),
            profile.flatMap(found -> found.property("endpoint_url")))
        .flatMap(Optional::stream)
        .findFirst()
        .map(AwsConfiguration::endpoint);
  }

  Region region() {
    String name =
        options
            .region()
            .or(() -> variable("AWS_REGION"))
            .or(() -> variable("AWS_DEFAULT_REGION"))
            .or(() -> profiles.profile(profileName).flatMap(found -> found.property("region")))
            .orElse("us-east-1");
    return Region.of(name);
  }

  AwsCredentialsProvider credentials() {
    if (options.anonymous()) {
      return AnonymousCredentialsProvider.create();
    }
    if (options.credentials().isPresent()) {
      return StaticCredentialsProvider.create(fixed(options.credentials().orElseThrow()));
    }
    return DefaultCredentialsProvider.builder()
        .profileFile(profiles)
        .profileName(profileName)
        .build();
  }

  private static AwsCredentials fixed(AccessKeys keys) {
    return keys.sessionToken().isPresent()
        ? AwsSessionCredentials.create(
            keys.accessKey(), keys.secretKey(), keys.sessionToken().orElseThrow())
        : AwsBasicCredentials.create(keys.accessKey(), keys.secretKey());
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(environment.apply(name)).filter(value -> !value.isBlank());
  }

  private static URI endpoint(String text) {
    try {
      URI uri = URI.create(text.strip());
      StorageOptions.builder().endpoint(uri).build();
      return uri;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "configured S3 endpoint is %s, expected http(s)://host[:port]".formatted(text), e);
    }
  }
}
