package dev.tarn.cluster.control;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The one access to the control state. Behind it is a deterministic state machine whose commands
 * carry their time and ids. Implementations differ in where the log is: a small local log, or that
 * of a control node; Raft later.
 */
public interface ControlPlane {
  /** The newest state known to this process. Never blocks. */
  ControlState state();

  /**
   * Brings {@link #state()} up to every change that was acknowledged anywhere before this call.
   * Call it before you refuse a request because something does not exist.
   *
   * @return false if that was not possible; the state may be stale then
   */
  CompletionStage<Boolean> refresh();

  /**
   * Why the log cannot be followed now; {@link #state()} may be stale then, and changes are
   * refused. Empty while it is followed.
   */
  default Optional<String> away() {
    return Optional.empty();
  }

  /**
   * Appends a command to the log and applies it. Completes when it is durable and {@link #state()}
   * shows it.
   */
  CompletionStage<CommandOutcome> submit(Command command);

  /**
   * Passes the present state to the listener at once, then newer states in order of version,
   * possibly skipping some.
   */
  Watch watch(Consumer<ControlState> listener);

  /** A subscription to states; closing it ends the subscription. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }
}
