package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import java.time.InstantSource;

/** The control plane as the admin API uses it: on virtual threads, which may wait. */
record Commands(ControlPlane control, InstantSource clock) {
  Commands {
    requireNonNull(control, "control is null");
    requireNonNull(clock, "clock is null");
  }

  ControlState state() {
    return control.state();
  }

  long nowMs() {
    return clock.millis();
  }

  /** Waits until the command is durable and applied, or throws why it is not. */
  void run(Command command) {
    CommandOutcome outcome = control.submit(command).toCompletableFuture().join();
    switch (outcome) {
      case CommandOutcome.Applied _ -> {}
      case CommandOutcome.Rejected rejected -> throw AdminProblem.of(rejected);
      case CommandOutcome.Unavailable unavailable ->
          throw AdminProblem.unavailable(unavailable.message());
      case CommandOutcome.Unconfirmed unconfirmed ->
          throw AdminProblem.unavailable(unconfirmed.message());
    }
  }
}
