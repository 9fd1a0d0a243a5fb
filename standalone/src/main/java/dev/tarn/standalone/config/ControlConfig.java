package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.GatewayConfig.TlsFiles;
import java.util.Optional;

/**
 * The listener through which gateways and targets reach the control node.
 *
 * @param host the address to listen on
 * @param port the port to listen on; 0 picks a free one
 * @param tls the certificate for https; empty for http; messages are sealed in both cases
 */
public record ControlConfig(String host, int port, Optional<TlsFiles> tls) {
  private static final int PORT_MAX = 65_535;

  /** Loopback, port 9400. */
  public static final ControlConfig DEFAULT =
      new ControlConfig("127.0.0.1", 9400, Optional.empty());

  public ControlConfig {
    if (requireNonNull(host, "host is null").isBlank()) {
      throw new IllegalArgumentException("host is empty, must be an address such as 127.0.0.1");
    }
    if (port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("port is " + port + ", must be 0 to " + PORT_MAX);
    }
    requireNonNull(tls, "tls is null");
  }
}
