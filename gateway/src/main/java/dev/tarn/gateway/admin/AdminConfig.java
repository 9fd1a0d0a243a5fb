package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import io.vertx.core.net.HostAndPort;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the admin listener.
 *
 * @param host the address to listen on
 * @param port 0 picks a free one
 * @param bodyBytesMax the maximum size of one request's document, which is held in memory
 * @param connectionsMax open connections; further connections are closed immediately
 * @param idleMsMax how long a connection may be idle
 * @param eventsTokenFile a file with the token that event notifications of a backend may carry
 *     instead of a signature, as {@code Authorization: Bearer TOKEN}; none: they need a signature
 * @param console whether the console, a web page, is served at the path /
 * @param gateways {@code host:port} of the admin listeners of all gateways, whose profiles are
 *     added up; a host may have several addresses
 */
public record AdminConfig(
    String host,
    int port,
    int bodyBytesMax,
    int connectionsMax,
    long idleMsMax,
    Optional<Path> eventsTokenFile,
    boolean console,
    List<String> gateways) {
  /** Loopback, port 9001. */
  public static final AdminConfig DEFAULT =
      new AdminConfig("127.0.0.1", 9001, 64 << 10, 256, 120_000, Optional.empty(), true, List.of());

  private static final int PORT_MAX = 65_535;
  private static final long IDLE_MS_MIN = 1000;
  private static final long IDLE_MS_MAX = 24L * 24 * 60 * 60 * 1000;

  public AdminConfig {
    if (requireNonNull(host, "host is null").isBlank()) {
      throw new IllegalArgumentException("host is empty, must be an address such as 127.0.0.1");
    }
    if (port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("port is " + port + ", must be 0 to " + PORT_MAX);
    }
    requireNonNull(eventsTokenFile, "eventsTokenFile is null");
    gateways = List.copyOf(requireNonNull(gateways, "gateways is null"));
    for (String gateway : gateways) {
      HostAndPort place = HostAndPort.parseAuthority(gateway, -1);
      if (place == null || place.port() < 1) {
        throw new IllegalArgumentException(
            "gateways has '" + gateway + "', must be host:port such as tarn-gateways:9001");
      }
    }
    atLeast("body-bytes-max", bodyBytesMax, 1024);
    atLeast("connections-max", connectionsMax, 1);
    if (idleMsMax < IDLE_MS_MIN || idleMsMax > IDLE_MS_MAX) {
      throw new IllegalArgumentException(
          "idle-max is " + idleMsMax + "ms, must be 1s to 24d: the connection's timer ends there");
    }
  }

  /** The defaults, with this port and this file with the token of event notifications. */
  public static AdminConfig of(int port, Optional<Path> eventsTokenFile) {
    return new AdminConfig(
        DEFAULT.host,
        port,
        DEFAULT.bodyBytesMax,
        DEFAULT.connectionsMax,
        DEFAULT.idleMsMax,
        eventsTokenFile,
        DEFAULT.console,
        DEFAULT.gateways);
  }

  private static void atLeast(String name, long value, long min) {
    if (value < min) {
      throw new IllegalArgumentException(name + " is " + value + ", must be at least " + min);
    }
  }
}
