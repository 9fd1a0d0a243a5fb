package dev.tarn.transport.relay;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;

/**
 * Clients for tests that are not about silence. Their clock stands, so no target counts as silent
 * on a busy machine, and connecting may take a minute.
 */
public final class PatientClients {
  /** The default limits, with a minute to connect. */
  public static final RelayLimits LIMITS = connectingWithin(Duration.ofMinutes(1));

  private PatientClients() {}

  /** A client that calls in the clear. */
  public static RelayClient plain(Vertx vertx) {
    return over(vertx, LIMITS, address -> Optional.empty());
  }

  /** A client that knows these targets. */
  public static RelayClient over(Vertx vertx, RelayLimits limits, KnownTargets known) {
    return new RelayClient(vertx, limits, known, () -> 0, () -> false);
  }

  /** The default limits with another time to connect. */
  public static RelayLimits connectingWithin(Duration max) {
    RelayLimits usual = RelayLimits.DEFAULT;
    return new RelayLimits(
        usual.connectionsMax(),
        usual.waitingMax(),
        usual.waitMax(),
        usual.targetWaitMax(),
        usual.targetWaitingMax(),
        usual.unansweredMax(),
        max,
        usual.idleTimeoutMax());
  }
}
