package dev.tarn.targetnode.backend;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Limits on the traffic with one backend.
 *
 * @param connectionsMax open connections; further calls wait for one
 * @param connectTimeout for opening a connection
 * @param idleTimeout for the next byte of an answer
 * @param attemptsMax attempts of a call in all, with growing back-off
 */
public record BackendLimits(
    int connectionsMax, Duration connectTimeout, Duration idleTimeout, int attemptsMax) {
  public static final BackendLimits DEFAULT =
      new BackendLimits(256, Duration.ofSeconds(5), Duration.ofSeconds(30), 3);

  public BackendLimits {
    requireNonNull(connectTimeout, "connectTimeout is null");
    requireNonNull(idleTimeout, "idleTimeout is null");
    if (connectionsMax < 1 || attemptsMax < 1) {
      throw new IllegalArgumentException(
          "backend limits: connectionsMax is "
              + connectionsMax
              + " and attemptsMax is "
              + attemptsMax
              + ", both must be at least 1");
    }
  }
}
