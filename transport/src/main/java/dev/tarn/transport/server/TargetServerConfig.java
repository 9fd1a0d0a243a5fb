package dev.tarn.transport.server;

import static java.util.Objects.requireNonNull;

import dev.tarn.transport.tls.MemberTls;
import java.time.Duration;
import java.util.Optional;

/**
 * How a target listens.
 *
 * @param host the address to listen on
 * @param port the internal port; 0 picks a free one
 * @param eventLoops how many event loops serve connections; 1 to 64
 * @param idleTimeoutMax how long a connection may be silent
 * @param tls of the ports; if empty, one plain port serves calls and direct reads
 */
public record TargetServerConfig(
    String host, int port, int eventLoops, Duration idleTimeoutMax, Optional<Tls> tls) {
  /** The loopback address, a free port, one event loop. */
  public static final TargetServerConfig LOCAL =
      new TargetServerConfig("127.0.0.1", 0, 1, Duration.ofMinutes(1), Optional.empty());

  /**
   * The internal port demands certificates, so clients read from a port of their own.
   *
   * @param member the identity of this target
   * @param readPort the port for direct reads, which demands no certificate; 0 picks a free one
   */
  public record Tls(MemberTls member, int readPort) {
    public Tls {
      requireNonNull(member, "member is null");
      checkPort("readPort", readPort);
    }
  }

  public TargetServerConfig {
    requireNonNull(host, "host is null");
    checkPort("port", port);
    if (eventLoops < 1 || eventLoops > 64) {
      throw new IllegalArgumentException("eventLoops is " + eventLoops + ", must be 1 to 64");
    }
    requireNonNull(idleTimeoutMax, "idleTimeoutMax is null");
    requireNonNull(tls, "tls is null");
    if (idleTimeoutMax.toMillis() < 1) {
      throw new IllegalArgumentException(
          "idleTimeoutMax is " + idleTimeoutMax + ", must be at least 1 ms");
    }
  }

  private static void checkPort(String name, int port) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(name + " is " + port + ", must be 0 to 65535");
    }
  }
}
