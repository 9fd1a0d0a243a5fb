package dev.tarn.transport.relay;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The bounds of the connections to targets.
 *
 * @param connectionsMax how many to one target from one event loop, 1 to 65536
 * @param waitingMax how many calls may wait for one of them, over all targets; more are refused as
 *     overloaded
 * @param waitMax how long a call may wait for one; less than a capability lives
 * @param targetWaitMax how long a call that a target has not taken may wait for one that has been
 *     away for at most a minute, from when the call was made; less than a capability lives, 0 where
 *     it fails at once
 * @param targetWaitingMax how many calls may wait so, over all targets; more fail at once
 * @param connectTimeoutMax how long connecting may take
 * @param idleTimeoutMax how long a target may be silent when it is its turn to send or to take
 *     bytes, and how long a connection is kept between two calls
 */
public record RelayLimits(
    int connectionsMax,
    int waitingMax,
    Duration waitMax,
    Duration targetWaitMax,
    int targetWaitingMax,
    Duration connectTimeoutMax,
    Duration idleTimeoutMax) {
  /**
   * 1024 connections, 4096 calls that wait 10 s, none for a target that is away, 2 s to connect, 2
   * minutes of silence.
   */
  public static final RelayLimits DEFAULT =
      new RelayLimits(
          1024,
          4096,
          Duration.ofSeconds(10),
          Duration.ZERO,
          256,
          Duration.ofSeconds(2),
          Duration.ofMinutes(2));

  private static final Duration IDLE_MAX = Duration.ofDays(1);

  public RelayLimits {
    if (connectionsMax < 1 || connectionsMax > 65_536) {
      throw new IllegalArgumentException(
          "connectionsMax is " + connectionsMax + ", must be 1 to 65536");
    }
    if (waitingMax < 0) {
      throw new IllegalArgumentException("waitingMax is " + waitingMax);
    }
    requireNonNull(waitMax, "waitMax is null");
    requireNonNull(targetWaitMax, "targetWaitMax is null");
    if (targetWaitMax.isNegative() || targetWaitingMax < 0) {
      throw new IllegalArgumentException("waiting for targets must not be negative");
    }
    requireNonNull(connectTimeoutMax, "connectTimeoutMax is null");
    requireNonNull(idleTimeoutMax, "idleTimeoutMax is null");
    if (connectTimeoutMax.toMillis() < 1 || idleTimeoutMax.toMillis() < 1) {
      throw new IllegalArgumentException("timeouts must be at least 1 ms");
    }
  }

  /**
   * These with twice as long a silence as a client may stand still: a slow client is cut off for
   * its own sake, and never loses the connection to its target first.
   */
  public RelayLimits forClientsThatPause(Duration pauseMax) {
    Duration idle = pauseMax.compareTo(IDLE_MAX) > 0 ? IDLE_MAX : pauseMax;
    return new RelayLimits(
        connectionsMax,
        waitingMax,
        waitMax,
        targetWaitMax,
        targetWaitingMax,
        connectTimeoutMax,
        idle.multipliedBy(2));
  }

  /** These with calls that wait so long for a target that is away. */
  public RelayLimits withTargetWait(Duration max) {
    return new RelayLimits(
        connectionsMax,
        waitingMax,
        waitMax,
        max,
        targetWaitingMax,
        connectTimeoutMax,
        idleTimeoutMax);
  }
}
