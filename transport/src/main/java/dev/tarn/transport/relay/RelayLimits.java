package dev.tarn.transport.relay;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The limits of the connections to targets.
 *
 * @param connectionsMax connections of one event loop to one target, 1 to 65536
 * @param waitingMax calls to all targets that may wait for a connection; further calls are refused
 *     as overloaded
 * @param waitMax how long a call may wait for a connection; less than a capability's lifetime
 * @param targetWaitMax how long a call may wait for a target that is away, counted from the call's
 *     start, or for a silent target, counted from the beginning of the silence; a target counts as
 *     away for at most a minute; less than a capability's lifetime; 0: the call fails immediately
 * @param targetWaitingMax calls that may wait for one target that is away or silent; twice as many
 *     may wait for all targets; further calls fail immediately
 * @param unansweredMax calls in flight to one target that has replied to none for a moment; further
 *     calls are refused as overloaded
 * @param connectTimeoutMax how long connecting may take, without a handshake
 * @param idleTimeoutMax how long a connection may be silent when the target must send or receive
 *     bytes, and how long a connection is kept between two calls
 */
public record RelayLimits(
    int connectionsMax,
    int waitingMax,
    Duration waitMax,
    Duration targetWaitMax,
    int targetWaitingMax,
    int unansweredMax,
    Duration connectTimeoutMax,
    Duration idleTimeoutMax) {
  /**
   * 4096 connections; 4096 calls that wait up to 10 s for a connection; no wait for a target that
   * is away or silent; 512 unanswered calls; 2 s to connect; connections are kept for 2 minutes.
   */
  public static final RelayLimits DEFAULT =
      new RelayLimits(
          4096,
          4096,
          Duration.ofSeconds(10),
          Duration.ZERO,
          256,
          512,
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
    if (unansweredMax < 1) {
      throw new IllegalArgumentException(
          "unansweredMax is " + unansweredMax + ", must be positive");
    }
    requireNonNull(connectTimeoutMax, "connectTimeoutMax is null");
    requireNonNull(idleTimeoutMax, "idleTimeoutMax is null");
    if (connectTimeoutMax.toMillis() < 1 || idleTimeoutMax.toMillis() < 1) {
      throw new IllegalArgumentException("timeouts must be at least 1 ms");
    }
  }

  /**
   * A copy with an idle timeout of twice a client's longest pause, at most 2 days. A client that is
   * too slow then loses its own connection before the gateway loses the target's.
   */
  public RelayLimits forClientsThatPause(Duration pauseMax) {
    Duration idle = pauseMax.compareTo(IDLE_MAX) > 0 ? IDLE_MAX : pauseMax;
    return new RelayLimits(
        connectionsMax,
        waitingMax,
        waitMax,
        targetWaitMax,
        targetWaitingMax,
        unansweredMax,
        connectTimeoutMax,
        idle.multipliedBy(2));
  }

  /** A copy in which calls wait up to this long for a target that is away. */
  public RelayLimits withTargetWait(Duration max) {
    return new RelayLimits(
        connectionsMax,
        waitingMax,
        waitMax,
        max,
        targetWaitingMax,
        unansweredMax,
        connectTimeoutMax,
        idleTimeoutMax);
  }
}
