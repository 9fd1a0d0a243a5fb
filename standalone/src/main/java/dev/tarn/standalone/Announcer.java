package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the control plane what this target is, whenever that shows something else: at the start,
 * and after somebody made it forget. Repeats ever more rarely while the control plane cannot be
 * asked. What it rejects is announced again when its state has changed, since that may be why.
 */
final class Announcer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
  private static final Duration RETRY_MIN = Duration.ofMillis(100);
  private static final Duration RETRY_MAX = Duration.ofSeconds(5);

  private final ControlPlane control;
  private final AnnouncedTarget own;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final ControlPlane.Watch watch;
  private boolean busy;
  private boolean changedMeanwhile;
  private boolean closed;
  private Duration retry = RETRY_MIN;
  private boolean shownBefore;
  private @Nullable String replaced;
  private @Nullable String rejected;
  private @Nullable String unanswered;

  /** Runs a step on another thread, later. */
  interface Scheduler {
    /** Of this JVM, by the clock. */
    Scheduler SYSTEM =
        (step, delay) ->
            CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                .execute(step);

    void schedule(Runnable step, Duration delay);
  }

  /**
   * Begins to announce.
   *
   * @param own this target; a disk of 0 bytes cannot be read, and keeps the capacity that it was
   *     announced with before
   */
  Announcer(ControlPlane control, AnnouncedTarget own, InstantSource clock, Scheduler scheduler) {
    this.control = requireNonNull(control, "control is null");
    this.own = requireNonNull(own, "own is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
    this.watch = control.watch(this::changed);
  }

  /** Why the control plane does not know this target; empty where it does. */
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

  private void changed(ControlState state) {
    if (isShown(state)) {
      noteShown();
    } else if (!isReplaced(state)) {
      request();
    }
  }

  private synchronized void noteShown() {
    shownBefore = true;
  }

  /**
   * Whether another process has announced this target elsewhere since this one did: two have the
   * same data folder, or a copy of it. The later one is believed; to announce this one again would
   * have the two take turns without end.
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
    LOG.error("{}; this process stays up and is not ready", replaced);
    return true;
  }

  /** One step at a time; a change in the midst of one is followed by another. */
  private void request() {
    Duration delay;
    synchronized (this) {
      changedMeanwhile = busy;
      if (busy || closed) {
        return;
      }
      busy = true;
      delay = rejected == null ? Duration.ZERO : RETRY_MIN;
    }
    scheduler.schedule(this::step, delay);
  }

  private synchronized boolean isClosed() {
    return closed || replaced != null;
  }

  private void step() {
    if (isClosed()) {
      return;
    }
    control
        .refresh()
        .thenCompose(this::announce)
        .whenComplete((outcome, defect) -> {
          if (defect != null) {
            LOG.error("announcing this target failed in a way that is not foreseen", defect);
          }
          done(defect == null ? outcome : new CommandOutcome.Unavailable(defect.toString()));
        });
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

  private void done(CommandOutcome outcome) {
    Optional<Duration> again = next(outcome, isShown(control.state()));
    again.ifPresent(delay -> scheduler.schedule(this::step, delay));
  }

  /** After which time there is another step; empty for none before the state has changed. */
  private synchronized Optional<Duration> next(CommandOutcome outcome, boolean shown) {
    note(outcome, shown);
    shownBefore |= shown;
    boolean waits = (shown || rejected != null) && !changedMeanwhile;
    changedMeanwhile = false;
    busy = !waits && !closed && replaced == null;
    if (!busy) {
      retry = RETRY_MIN;
      return Optional.empty();
    }
    Duration delay = retry;
    Duration doubled = retry.multipliedBy(2);
    retry = doubled.compareTo(RETRY_MAX) < 0 ? doubled : RETRY_MAX;
    return Optional.of(delay);
  }

  private void note(CommandOutcome outcome, boolean shown) {
    String rejectedBefore = rejected;
    String unansweredBefore = unanswered;
    rejected = null;
    unanswered = null;
    if (shown) {
      if (unansweredBefore != null || rejectedBefore != null) {
        LOG.info("target {} has announced itself", own.id());
      }
      return;
    }
    switch (outcome) {
      case CommandOutcome.Rejected no when no.reason() != CommandOutcome.Reason.NOTHING_CHANGES -> {
        rejected = no.message();
        if (!no.message().equals(rejectedBefore)) {
          LOG.error(
              "the control plane rejects target {}: {}; it stays up and is not ready",
              own.id(),
              no.message());
        }
      }
      case CommandOutcome.Unavailable away -> repeats(away.message(), unansweredBefore);
      case CommandOutcome.Unconfirmed lost -> repeats(lost.message(), unansweredBefore);
      default -> {
        // The state here shows it in a moment, or the next step announces it again.
      }
    }
  }

  private void repeats(String reason, @Nullable String before) {
    unanswered = reason;
    if (before == null) {
      LOG.warn("target {} could not announce itself and tries again: {}", own.id(), reason);
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
            own.disks().stream().map(disk -> withCapacity(disk, before)).toList());
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

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    watch.close();
  }
}
