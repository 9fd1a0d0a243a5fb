package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.targetnode.upkeep.Job;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces this target to the control plane: at the start, and whenever the control state shows
 * something else. Retries with a growing back-off while the control plane is unavailable. Announces
 * again after a rejection only when the control state has changed, which may have removed the
 * cause.
 */
final class Announcer implements Job, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
  private static final Duration RETRY_MIN = Duration.ofMillis(100);
  private static final Duration RETRY_MAX = Duration.ofSeconds(5);

  private final ControlPlane control;
  private final AnnouncedTarget own;
  private final InstantSource clock;
  private final CompletableFuture<CommandOutcome> closing = new CompletableFuture<>();
  private ControlPlane.@Nullable Watch watch;
  private Duration interval = UNTIL_WOKEN;
  private Duration retry = RETRY_MIN;
  private boolean shownBefore;
  private @Nullable String replaced;
  private @Nullable String rejected;
  private @Nullable String unanswered;
  private boolean keptInPart;

  /**
   * Does nothing before {@link #start}.
   *
   * @param own this target; a capacity of 0 bytes means that the disk cannot be read, and the
   *     capacity announced before is kept
   */
  Announcer(ControlPlane control, AnnouncedTarget own, InstantSource clock) {
    this.control = requireNonNull(control, "control is null");
    this.own = requireNonNull(own, "own is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  /**
   * Starts to announce.
   *
   * @param upkeep starts a job after a pause, and returns what wakes it
   */
  Announcer start(BiFunction<Job, Duration, Runnable> upkeep) {
    Runnable wake = upkeep.apply(this, UNTIL_WOKEN);
    watch = control.watch(state -> changed(state, wake));
    return this;
  }

  /** Why the control plane does not list this target; empty if the control plane lists it. */
  Optional<String> problem() {
    ControlState state = control.state();
    boolean known =
        state.announced(own.id()) != null
            || state.map().flatMap(map -> map.target(own.id())).isPresent();
    synchronized (this) {
      if (replaced != null) {
        return Optional.of(replaced);
      }
      if (rejected != null) {
        return Optional.of("the control plane rejects this target: " + rejected);
      }
      if (known) {
        return Optional.empty();
      }
      return Optional.of(
          "this target has not announced itself yet"
              + (unanswered == null ? "" : ": " + unanswered));
    }
  }

  private void changed(ControlState state, Runnable wake) {
    if (isShown(state)) {
      noteShown();
    } else if (!isReplaced(state)) {
      wake.run();
    }
  }

  private synchronized void noteShown() {
    shownBefore = true;
  }

  /**
   * Whether another process has announced this target at another address since this process did.
   * Then two processes have the same data folder, or a copy of it. The later announcement wins.
   * This process does not announce again, because the two would replace each other endlessly.
   */
  private synchronized boolean isReplaced(ControlState state) {
    AnnouncedTarget announced = state.announced(own.id());
    if (!shownBefore
        || announced == null
        || announced.addresses().equals(own.addresses())
        || replaced != null) {
      return replaced != null;
    }
    replaced =
        "another process has announced target "
            + own.id()
            + " at "
            + announced.addresses().get(0)
            + "; was its data folder copied? Stop one of the two, and restart this one if it is to"
            + " stay";
    LOG.error("{}; the process keeps running and is not ready", replaced);
    return true;
  }

  @Override
  public String name() {
    return "announcement of target " + own.id();
  }

  /** A growing back-off until the control state shows this target or a rejection arrives. */
  @Override
  public synchronized Duration interval() {
    return interval;
  }

  /** Announces this target if the newest control state shows something else; blocks. */
  @Override
  public boolean step() {
    if (closing.isDone() || isReplaced(control.state())) {
      return false;
    }
    CommandOutcome outcome =
        control
            .refresh()
            .thenCompose(this::announce)
            .exceptionally(this::failed)
            .applyToEither(closing, Function.identity())
            .toCompletableFuture()
            .join();
    if (!closing.isDone()) {
      end(outcome, isShown(control.state()));
    }
    return false;
  }

  private CommandOutcome failed(Throwable defect) {
    LOG.error("Announcement of target {} failed by a defect; the target retries", own.id(), defect);
    return new CommandOutcome.Unavailable(defect.toString());
  }

  private CompletionStage<CommandOutcome> announce(boolean upToDate) {
    ControlState state = control.state();
    if (isShown(state)) {
      return CompletableFuture.completedFuture(new CommandOutcome.Applied(state.version()));
    }
    return upToDate
        ? control.submit(new Command.AnnounceTarget(clock.millis(), wanted(state)))
        : CompletableFuture.completedFuture(
            new CommandOutcome.Unavailable("the control plane cannot be asked"));
  }

  private synchronized void end(CommandOutcome outcome, boolean shown) {
    note(outcome, shown);
    shownBefore |= shown;
    if (shown || rejected != null) {
      interval = UNTIL_WOKEN;
      retry = RETRY_MIN;
      return;
    }
    interval = retry;
    Duration doubled = retry.multipliedBy(2);
    retry = doubled.compareTo(RETRY_MAX) < 0 ? doubled : RETRY_MAX;
  }

  private void note(CommandOutcome outcome, boolean shown) {
    String rejectedBefore = rejected;
    String unansweredBefore = unanswered;
    rejected = null;
    unanswered = null;
    if (shown) {
      if (unansweredBefore != null || rejectedBefore != null || keptInPart) {
        LOG.info("Target {} has announced itself", own.id());
      }
      keptInPart = false;
      return;
    }
    switch (outcome) {
      case CommandOutcome.Rejected no -> {
        if (no.reason() == CommandOutcome.Reason.NOTHING_CHANGES) {
          noteKept(control.state().announced(own.id()));
          return;
        }
        rejected = no.message();
        if (!no.message().equals(rejectedBefore)) {
          LOG.error(
              "Announcement of target {} failed: {}; the process keeps running and is not ready",
              own.id(),
              no.message());
        }
      }
      case CommandOutcome.Unavailable away -> repeats(away.message(), unansweredBefore);
      case CommandOutcome.Unconfirmed lost -> repeats(lost.message(), unansweredBefore);
      case CommandOutcome.Applied _ -> {
        // The announcement will soon show in the state here, or the next step repeats it.
      }
    }
  }

  private void repeats(String reason, @Nullable String before) {
    unanswered = reason;
    if (before == null) {
      LOG.warn("Announcement of target {} failed: {}; the target retries", own.id(), reason);
    }
  }

  /**
   * Reports a control node that has kept this announcement, but not all of it. An older release
   * skips the fields that it does not know.
   */
  private void noteKept(@Nullable AnnouncedTarget kept) {
    if (kept != null && !keptInPart) {
      keptInPart = true;
      LOG.warn(
          "Announcement of target {} is kept in part: the control node runs an older release, which"
              + " has {} instead of {}; update the control node",
          own.id(),
          kept,
          wanted(control.state()));
    }
  }

  private boolean isShown(ControlState state) {
    return wanted(state).equals(state.announced(own.id()));
  }

  private AnnouncedTarget wanted(ControlState state) {
    AnnouncedTarget before = state.announced(own.id());
    return before == null
        ? own
        : new AnnouncedTarget(
            own.id(),
            own.addresses(),
            own.disks().stream().map(disk -> withCapacity(disk, before)).toList(),
            own.tls(),
            own.readAddress());
  }

  private static AnnouncedTarget.Disk withCapacity(
      AnnouncedTarget.Disk disk, AnnouncedTarget before) {
    return disk.capacityBytes() > 0
        ? disk
        : before.disks().stream()
            .filter(known -> known.id().equals(disk.id()))
            .findFirst()
            .orElse(disk);
  }

  /** Ends a step in progress. */
  @Override
  public void close() {
    closing.complete(new CommandOutcome.Unavailable("this process ends"));
    if (watch != null) {
      watch.close();
    }
  }
}
