package dev.tarn.targetnode.membership;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.targetnode.upkeep.Job;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms that this target serves nothing, once it knows that it shall not. From then on it
 * refuses calls ({@link Member#refusal}) and acknowledges no write that was under way.
 */
public final class OutConfirmation implements Job {
  private static final Logger LOG = LoggerFactory.getLogger(OutConfirmation.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Member own;
  private final ControlPlane control;
  private final InstantSource clock;

  public OutConfirmation(Member own, ControlPlane control, InstantSource clock) {
    this.own = requireNonNull(own, "own is null");
    this.control = requireNonNull(control, "control is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  @Override
  public String name() {
    return "confirmation that target " + own.id() + " is out";
  }

  @Override
  public Duration interval() {
    return leaving().isPresent() ? RETRY : UNTIL_WOKEN;
  }

  @Override
  public boolean step() {
    Optional<MapTarget> leaving = leaving();
    if (leaving.isPresent()) {
      CommandOutcome outcome =
          control
              .submit(
                  new Command.ConfirmOut(
                      clock.millis(), own.id(), leaving.orElseThrow().stateEpoch()))
              .toCompletableFuture()
              .join();
      if (outcome instanceof CommandOutcome.Applied) {
        LOG.info("Target {} is out of service; other targets have its cached slots", own.id());
      }
    }
    return false;
  }

  /** This target in the map, if it was told to leave and has not confirmed it. */
  private Optional<MapTarget> leaving() {
    return own.listed().filter(member -> member.state() == MemberState.LEAVING);
  }
}
