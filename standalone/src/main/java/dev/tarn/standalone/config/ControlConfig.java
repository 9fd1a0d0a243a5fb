package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.GatewayConfig.TlsFiles;
import java.time.Duration;
import java.util.Optional;

/**
 * The listener through which gateways and targets reach the control node.
 *
 * @param host the address to listen on
 * @param port the port to listen on; 0 picks a free one
 * @param tls the certificate for https; empty for http; messages are sealed in both cases
 * @param ca the certificate authority that signs the members' certificates, its own certificate
 *     first in the chain; empty for one that the first start makes and keeps in the data folder
 * @param certificateLife how long a member's certificate is valid, from 1m to 365d; members renew
 *     theirs after two thirds of it
 */
public record ControlConfig(
    String host,
    int port,
    Optional<TlsFiles> tls,
    Optional<TlsFiles> ca,
    Duration certificateLife) {
  private static final int PORT_MAX = 65_535;
  private static final Duration LIFE_MIN = Duration.ofMinutes(1);
  private static final Duration LIFE_MAX = Duration.ofDays(365);

  /** Loopback, port 9400. */
  public static final ControlConfig DEFAULT =
      new ControlConfig("127.0.0.1", 9400, Optional.empty(), Optional.empty(), Duration.ofDays(30));

  public ControlConfig {
    if (requireNonNull(host, "host is null").isBlank()) {
      throw new IllegalArgumentException("host is empty, must be an address such as 127.0.0.1");
    }
    if (port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("port is " + port + ", must be 0 to " + PORT_MAX);
    }
    requireNonNull(tls, "tls is null");
    requireNonNull(ca, "ca is null");
    if (certificateLife.compareTo(LIFE_MIN) < 0 || certificateLife.compareTo(LIFE_MAX) > 0) {
      throw new IllegalArgumentException(
          "certificate-life is " + DurationText.show(certificateLife) + ", must be 1m to 365d");
    }
  }
}
