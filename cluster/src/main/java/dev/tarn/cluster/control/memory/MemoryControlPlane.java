package dev.tarn.cluster.control.memory;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.PublishedState;
import dev.tarn.cluster.control.StateMachine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The state machine without a log: commands are applied immediately and lost with the process. */
public final class MemoryControlPlane implements ControlPlane {
  private final PublishedState published = new PublishedState(StateMachine.empty());

  @Override
  public ControlState state() {
    return published.state();
  }

  /** Returns true: only this process changes the state, so its state is always the newest. */
  @Override
  public CompletionStage<Boolean> refresh() {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public synchronized CompletionStage<CommandOutcome> submit(Command command) {
    StateMachine.Transition transition = StateMachine.apply(published.state(), command);
    if (transition.applied()) {
      published.publish(transition.state());
    }
    return CompletableFuture.completedFuture(transition.outcome());
  }

  @Override
  public Watch watch(Consumer<ControlState> listener) {
    return published.watch(listener);
  }
}
