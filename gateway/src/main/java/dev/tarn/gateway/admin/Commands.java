package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.route.GatewayView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The control plane as the admin API uses it, on virtual threads, which may block. */
record Commands(ControlPlane control, InstantSource clock) {
  static final String REACHABLE = "reachable";

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

  /** The bucket of this name, which must exist; asks the control node if it is not known here. */
  Bucket bucket(String name) {
    return find(state -> state.bucket(name))
        .orElseThrow(() -> AdminProblem.notFound("there is no bucket '" + name + "'"));
  }

  /** Waits until the state satisfies this, or the time is over; blocks. */
  void await(Predicate<ControlState> wanted, Duration max) {
    CompletableFuture<Boolean> reached = new CompletableFuture<>();
    try (ControlPlane.Watch _ =
        control.watch(state -> {
          if (wanted.test(state)) {
            reached.complete(true);
          }
        })) {
      boolean _ = reached.completeOnTimeout(false, max.toMillis(), TimeUnit.MILLISECONDS).join();
    }
  }

  /** Waits for the newest state. Returns false if the control node does not answer. */
  boolean refresh() {
    return control.refresh().toCompletableFuture().join();
  }

  /** Whether the log of the control plane is reachable, as text for the administrator. */
  String reachability() {
    return control.away().map(reason -> "away: " + reason).orElse(REACHABLE);
  }

  /**
   * The same, after a refresh.
   *
   * @param refreshed what {@link #refresh} returned
   */
  String reachability(boolean refreshed) {
    return refreshed
        ? REACHABLE
        : "away: " + control.away().orElse("the control node gave no answer");
  }

  /** Like {@link #run}, but returns false for a command that would change nothing. */
  boolean runUnlessNothingChanges(Command command) {
    return runUnless(CommandOutcome.Reason.NOTHING_CHANGES, command);
  }

  /** Like {@link #run}, but returns false for a command that is rejected for this reason. */
  boolean runUnless(CommandOutcome.Reason reason, Command command) {
    CommandOutcome outcome = control.submit(command).toCompletableFuture().join();
    if (outcome instanceof CommandOutcome.Rejected rejected && rejected.reason() == reason) {
      return false;
    }
    check(outcome);
    return true;
  }

  /** Looks something up. Asks the control plane before it gives up; blocks meanwhile. */
  <T> Optional<T> find(Function<ControlState, @Nullable T> lookup) {
    try {
      return new GatewayView(control).find(lookup);
    } catch (S3Exception unavailable) {
      throw AdminProblem.of(unavailable);
    }
  }

  /**
   * Waits until the command is durable and applied.
   *
   * @throws AdminProblem if the command is refused, or its outcome is unknown
   */
  void run(Command command) {
    check(control.submit(command).toCompletableFuture().join());
  }

  private static void check(CommandOutcome outcome) {
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
