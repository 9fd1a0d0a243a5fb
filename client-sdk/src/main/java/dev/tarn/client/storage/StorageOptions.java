package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of the remote storages. Absent values are looked up as by aws-cli: in the environment
 * (AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_PROFILE, AWS_REGION and so on), in the config and
 * credentials files, and for credentials in the rest of the chain. The certificates of
 * AWS_CA_BUNDLE are trusted, otherwise those of the JVM.
 *
 * @param endpoint the S3 endpoint, which overrides configured ones; addressed path-style
 * @param ignoreConfiguredEndpoint whether endpoints of the environment and the config files do not
 *     count, so that S3 is Amazon's own unless {@code endpoint} is set
 * @param region the S3 region; us-east-1 if none is found
 * @param profile the profile of the config files
 * @param credentials S3 credentials, which override the chain
 * @param anonymous whether S3 requests are not signed, for public buckets
 * @param connectTimeout bound of making a connection, from 1 ms to 24 days; 5 s if not set
 * @param idleTimeout bound of waiting for the next byte of an answer, from 1 ms to 24 days; 30 s if
 *     not set
 * @param connectionsMax bound of open connections for reads over plain http, and the same for all
 *     others, all hosts together; further requests wait; 256 if not set
 * @param partBytes length of a part of a multipart upload, at least 5 MiB; 8 MiB if not set. A
 *     writer holds one part in memory. An object of up to this length is one PUT. Parts grow if
 *     10,000 parts would not hold the object.
 * @param directReads whether to read from targets if the endpoint is a gateway of a Tarn cluster
 *     that allows it, over plain http only; the gateway serves reads that fail at a target
 * @param retries how failed requests are repeated; {@link RetryPolicy#DEFAULT} if not set
 * @param pacing waits and jitter of the retries
 */
public record StorageOptions(
    Optional<URI> endpoint,
    boolean ignoreConfiguredEndpoint,
    Optional<String> region,
    Optional<String> profile,
    Optional<AccessKeys> credentials,
    boolean anonymous,
    Duration connectTimeout,
    Duration idleTimeout,
    int connectionsMax,
    int partBytes,
    boolean directReads,
    RetryPolicy retries,
    Pacing pacing) {
  private static final int PART_BYTES_MIN = 5 << 20;

  /** Sockets take timeouts in milliseconds, as an int, and treat 0 as no timeout. */
  private static final Duration TIMEOUT_MIN = Duration.ofMillis(1);

  private static final Duration TIMEOUT_MAX = Duration.ofDays(24);

  /** Checks the parts. */
  public StorageOptions {
    requireNonNull(endpoint, "endpoint is null");
    requireNonNull(region, "region is null");
    requireNonNull(profile, "profile is null");
    requireNonNull(credentials, "credentials is null");
    requireNonNull(retries, "retries is null");
    requireNonNull(pacing, "pacing is null");
    endpoint.ifPresent(StorageOptions::checkEndpoint);
    region.ifPresent(name -> checkName("region", name));
    profile.ifPresent(name -> checkName("profile", name));
    checkTimeout("connectTimeout", connectTimeout);
    checkTimeout("idleTimeout", idleTimeout);
    if (connectionsMax < 1) {
      throw new IllegalArgumentException(
          "connectionsMax is %d, expected at least 1".formatted(connectionsMax));
    }
    if (partBytes < PART_BYTES_MIN) {
      throw new IllegalArgumentException(
          "partBytes is %d, expected at least %d".formatted(partBytes, PART_BYTES_MIN));
    }
  }

  /** All settings as aws-cli finds them. */
  public static StorageOptions defaults() {
    return builder().build();
  }

  /** Starts with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** The same settings, without endpoints of the environment and the config files. */
  public StorageOptions ignoringConfiguredEndpoint() {
    return new StorageOptions(
        endpoint,
        true,
        region,
        profile,
        credentials,
        anonymous,
        connectTimeout,
        idleTimeout,
        connectionsMax,
        partBytes,
        directReads,
        retries,
        pacing);
  }

  private static void checkName(String setting, String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "%s is \"%s\", expected a name; leave it unset to use the value of the AWS configuration"
              .formatted(setting, name));
    }
  }

  private static void checkTimeout(String name, Duration timeout) {
    requireNonNull(timeout, () -> name + " is null");
    if (timeout.compareTo(TIMEOUT_MIN) < 0 || timeout.compareTo(TIMEOUT_MAX) > 0) {
      throw new IllegalArgumentException(
          "%s is %s, expected %s to %s".formatted(name, timeout, TIMEOUT_MIN, TIMEOUT_MAX));
    }
  }

  private static void checkEndpoint(URI url) {
    boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    if (!web || url.getHost() == null) {
      throw new IllegalArgumentException(
          "endpoint is %s, expected http(s)://host[:port]".formatted(url));
    }
  }

  /** Collects settings; those that are not set have their default. */
  public static final class Builder {
    private Optional<URI> endpoint = Optional.empty();
    private boolean ignoreConfiguredEndpoint;
    private Optional<String> region = Optional.empty();
    private Optional<String> profile = Optional.empty();
    private Optional<AccessKeys> credentials = Optional.empty();
    private boolean anonymous;
    private Duration connectTimeout = Duration.ofSeconds(5);
    private Duration idleTimeout = Duration.ofSeconds(30);
    private int connectionsMax = 256;
    private int partBytes = 8 << 20;
    private boolean directReads = true;
    private RetryPolicy retries = RetryPolicy.DEFAULT;
    private Pacing pacing = Pacing.REAL;

    private Builder() {}

    /** Sets {@link StorageOptions#endpoint}. */
    public Builder endpoint(URI value) {
      endpoint = Optional.of(requireNonNull(value, "endpoint is null"));
      return this;
    }

    /** Sets {@link StorageOptions#ignoreConfiguredEndpoint}. */
    public Builder ignoreConfiguredEndpoint(boolean value) {
      ignoreConfiguredEndpoint = value;
      return this;
    }

    /** Sets {@link StorageOptions#region}. */
    public Builder region(String value) {
      region = Optional.of(requireNonNull(value, "region is null"));
      return this;
    }

    /** Sets {@link StorageOptions#profile}. */
    public Builder profile(String value) {
      profile = Optional.of(requireNonNull(value, "profile is null"));
      return this;
    }

    /** Sets {@link StorageOptions#credentials}. */
    public Builder credentials(AccessKeys value) {
      credentials = Optional.of(requireNonNull(value, "credentials is null"));
      return this;
    }

    /** Sets {@link StorageOptions#anonymous}. */
    public Builder anonymous(boolean value) {
      anonymous = value;
      return this;
    }

    /** Sets {@link StorageOptions#connectTimeout}. */
    public Builder connectTimeout(Duration value) {
      connectTimeout = value;
      return this;
    }

    /** Sets {@link StorageOptions#idleTimeout}. */
    public Builder idleTimeout(Duration value) {
      idleTimeout = value;
      return this;
    }

    /** Sets {@link StorageOptions#connectionsMax}. */
    public Builder connectionsMax(int value) {
      connectionsMax = value;
      return this;
    }

    /** Sets {@link StorageOptions#partBytes}. */
    public Builder partBytes(int value) {
      partBytes = value;
      return this;
    }

    /** Sets {@link StorageOptions#directReads}; true if it is not set. */
    public Builder directReads(boolean value) {
      directReads = value;
      return this;
    }

    /** Sets {@link StorageOptions#retries}. */
    public Builder retries(RetryPolicy value) {
      retries = value;
      return this;
    }

    /** Sets {@link StorageOptions#pacing}. */
    public Builder pacing(Pacing value) {
      pacing = value;
      return this;
    }

    /** The settings; throws if one is invalid. */
    public StorageOptions build() {
      return new StorageOptions(
          endpoint,
          ignoreConfiguredEndpoint,
          region,
          profile,
          credentials,
          anonymous,
          connectTimeout,
          idleTimeout,
          connectionsMax,
          partBytes,
          directReads,
          retries,
          pacing);
    }
  }
}
