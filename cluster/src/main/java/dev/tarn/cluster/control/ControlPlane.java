package dev.tarn.cluster.control;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The one way to what the cluster agrees on. Behind it stands a deterministic state machine whose
 * commands carry their time and ids; a binding decides how its log is kept: a small local log, that
 * of a control node elsewhere, Raft later.
 */
public interface ControlPlane {
  /** The newest state known here. Never blocks. */
  ControlState state();

  /**
   * Brings {@link #state()} up to every change that was acknowledged anywhere before this call. Ask
   * before you refuse something for not being there.
   *
   * @return whether that was possible; where not, the state may be behind
   */
  CompletionStage<Boolean> refresh();

  /**
   * Why the log cannot be followed now, so that {@link #state()} may be behind and changes are
   * refused; empty while it can.
   */
  default Optional<String> away() {
    return Optional.empty();
  }

  /**
   * Puts a command into the log and applies it. Completes when it is durable and {@link #state()}
   * shows it.
   */
  CompletionStage<CommandOutcome> submit(Command command);

  /**
   * Tells of every newer state, in order of version, possibly skipping some; the present one at
   * once.
   */
  Watch watch(Consumer<ControlState> listener);

  /** Ends when closed. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }
}
