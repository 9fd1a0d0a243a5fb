package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The bounds of the connections to targets.
 *
 * @param connectionsMax how many to one target, 1 to 65536
 * @param waitingMax how many calls may wait for one of them, over all targets; more are refused as
 *     overloaded
 * @param connectTimeoutMax how long connecting may take
 * @param idleTimeoutMax how long a connection may be silent, in a call or between two
 */
public record TransportLimits(
    int connectionsMax, int waitingMax, Duration connectTimeoutMax, Duration idleTimeoutMax) {
  /** 256 connections, 4096 waiting calls, 2 s to connect, 30 s of silence. */
  public static final TransportLimits DEFAULT =
      new TransportLimits(256, 4096, Duration.ofSeconds(2), Duration.ofSeconds(30));

  public TransportLimits {
    if (connectionsMax < 1 || connectionsMax > 65_536) {
      throw new IllegalArgumentException(
          "connectionsMax is " + connectionsMax + ", must be 1 to 65536");
    }
    if (waitingMax < 0) {
      throw new IllegalArgumentException("waitingMax is " + waitingMax);
    }
    requireNonNull(connectTimeoutMax, "connectTimeoutMax is null");
    requireNonNull(idleTimeoutMax, "idleTimeoutMax is null");
    if (connectTimeoutMax.toMillis() < 1 || idleTimeoutMax.toMillis() < 1) {
      throw new IllegalArgumentException("timeouts must be at least 1 ms");
    }
  }
}
