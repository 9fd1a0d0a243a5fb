package dev.tarn.gateway;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.gateway.http.GatewayLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The settings of the S3 listener.
 *
 * @param host the address to listen on
 * @param port 0 picks a free one
 * @param tls the certificate, for https; empty for http
 * @param domains the domains of virtual-host style requests, such as {@code s3.example.org} for
 *     {@code bucket.s3.example.org}; empty for path style only
 * @param region the value of {@code x-amz-bucket-region} and {@code GetBucketLocation}
 * @param limits the limits
 * @param bucketDefaults the settings of a bucket that CreateBucket creates
 * @param accessLog the file to which each request appends a JSON line; empty for no access log
 */
public record GatewayConfig(
    String host,
    int port,
    Optional<TlsFiles> tls,
    List<String> domains,
    String region,
    GatewayLimits limits,
    BucketSettings bucketDefaults,
    Optional<Path> accessLog) {
  /** Loopback, port 9000, http, path style, us-east-1, private durable buckets, no access log. */
  public static final GatewayConfig DEFAULT =
      new GatewayConfig(
          "127.0.0.1",
          9000,
          Optional.empty(),
          List.of(),
          "us-east-1",
          GatewayLimits.DEFAULT,
          BucketSettings.PRIMARY,
          Optional.empty());

  private static final int PORT_MAX = 65_535;

  public GatewayConfig {
    if (requireNonNull(host, "host is null").isBlank()) {
      throw new IllegalArgumentException("host is empty, must be an address such as 127.0.0.1");
    }
    if (port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("port is " + port + ", must be 0 to " + PORT_MAX);
    }
    requireNonNull(tls, "tls is null");
    domains =
        requireNonNull(domains, "domains is null").stream()
            .map(domain -> domain.toLowerCase(Locale.ROOT))
            .toList();
    for (String domain : domains) {
      if (domain.isBlank() || domain.startsWith(".") || domain.contains(":")) {
        throw new IllegalArgumentException(
            "domain is '" + domain + "', must be a host name such as s3.example.org without port");
      }
    }
    if (requireNonNull(region, "region is null").isBlank()) {
      throw new IllegalArgumentException("region is empty, must be a name such as us-east-1");
    }
    requireNonNull(limits, "limits is null");
    requireNonNull(bucketDefaults, "bucketDefaults is null");
    requireNonNull(accessLog, "accessLog is null");
  }

  /**
   * A certificate and its key.
   *
   * @param certificateChain a PEM file, the server's certificate first
   * @param privateKey a PEM file in PKCS#8 form, not encrypted
   */
  public record TlsFiles(Path certificateChain, Path privateKey) {
    public TlsFiles {
      requireNonNull(certificateChain, "certificateChain is null");
      requireNonNull(privateKey, "privateKey is null");
    }
  }
}
