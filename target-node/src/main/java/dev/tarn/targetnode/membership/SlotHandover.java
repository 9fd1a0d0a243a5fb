package dev.tarn.targetnode.membership;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.Slot;
import dev.tarn.targetnode.upkeep.Job;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the primary slots of this target that the map has a destination for to that destination, if
 * they are empty. Slots with data stay: moving data is not possible yet.
 */
public final class SlotHandover implements Job {
  private static final Logger LOG = LoggerFactory.getLogger(SlotHandover.class);

  /** A slot may become empty at any time, but that needs a walk through the index. */
  private static final Duration INTERVAL = Duration.ofHours(1);

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Member own;
  private final ControlPlane control;
  private final SlotGate gate;
  private final Contents contents;
  private final InstantSource clock;
  private Duration interval = INTERVAL;

  /** The slots of a command whose outcome is unknown. They stay closed. */
  private Map<Integer, Long> undecided = Map.of();

  /** Empty slots that an earlier process of this target may have given. They are closed. */
  private Map<Integer, Long> doubtful = Map.of();

  /** Whether a command with them may have been applied, although no answer came. */
  private boolean isSent;

  /** What is in the slots of this target. */
  @FunctionalInterface
  public interface Contents {
    /**
     * The slots that have primary data. All changes that were decided before this call count;
     * blocks.
     */
    Set<Integer> slotsInUse() throws IOException;
  }

  /**
   * Gives slots of this target.
   *
   * @param gate closes the slots
   */
  public SlotHandover(
      Member own, ControlPlane control, SlotGate gate, Contents contents, InstantSource clock) {
    this.own = requireNonNull(own, "own is null");
    this.control = requireNonNull(control, "control is null");
    this.gate = requireNonNull(gate, "gate is null");
    this.contents = requireNonNull(contents, "contents is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  /**
   * Closes the slots that an earlier process may have given without an answer, until the newest map
   * is known. To be called before this target serves; blocks.
   */
  public void begin() {
    Map<Integer, Long> wanted = slotsToGive();
    try {
      doubtful = wanted.isEmpty() ? wanted : closed(wanted);
    } catch (IOException e) {
      LOG.warn("Nobody knows which slots are empty, so {} are closed for now", wanted.size(), e);
      wanted.keySet().forEach(gate::close);
      doubtful = wanted;
    }
  }

  @Override
  public String name() {
    return "handover of empty slots of target " + own.id();
  }

  @Override
  public Duration interval() {
    return interval;
  }

  @Override
  public boolean step() throws IOException {
    if (!doubtful.isEmpty()) {
      interval = RETRY;
      if (!control.refresh().toCompletableFuture().join()) {
        return false;
      }
      doubtful.keySet().forEach(gate::open);
      doubtful = Map.of();
    }
    if (undecided.isEmpty()) {
      Map<Integer, Long> wanted = slotsToGive();
      interval = INTERVAL;
      undecided = wanted.isEmpty() ? wanted : closed(wanted);
      isSent = false;
    }
    if (!undecided.isEmpty()) {
      interval = RETRY;
      if (give(undecided)) {
        undecided.keySet().forEach(gate::open);
        undecided = Map.of();
        interval = INTERVAL;
      }
    }
    return false;
  }

  /** Closes the slots that are empty. */
  private Map<Integer, Long> closed(Map<Integer, Long> wanted) throws IOException {
    wanted.keySet().forEach(gate::watch);
    Set<Integer> inUse = contents.slotsInUse();
    Map<Integer, Long> closed = new TreeMap<>(wanted);
    closed.keySet().removeIf(slot -> inUse.contains(slot) || !gate.close(slot));
    return closed;
  }

  /** Whether it is certain now who has the slots. */
  private boolean give(Map<Integer, Long> closed) {
    CommandOutcome outcome =
        control
            .submit(new Command.GiveSlots(clock.millis(), own.id(), closed))
            .toCompletableFuture()
            .join();
    switch (outcome) {
      case CommandOutcome.Applied _ ->
          LOG.info("{} empty slots have moved to other targets", closed.size());
      case CommandOutcome.Rejected rejected ->
          LOG.info("{} empty slots stay here: {}", closed.size(), rejected.message());
      case CommandOutcome.Unavailable unavailable -> {
        LOG.warn("Slots cannot be given to other targets now: {}", unavailable.message());
        return !isSent;
      }
      case CommandOutcome.Unconfirmed unconfirmed -> {
        isSent = true;
        LOG.warn(
            "{} empty slots are closed until the control node answers: {}",
            closed.size(),
            unconfirmed.message());
        return false;
      }
    }
    return true;
  }

  /** The slots of this target that have a destination, and since when it has each. */
  private Map<Integer, Long> slotsToGive() {
    Map<Integer, Long> wanted = new TreeMap<>();
    if (own.listed().isEmpty()) {
      return wanted;
    }
    control
        .state()
        .map()
        .ifPresent(map -> {
          List<Slot> slots = map.slots().all();
          for (int number = 0; number < Slot.COUNT; number++) {
            Slot slot = slots.get(number);
            if (slot.destination().isPresent() && slot.home().target().equals(own.id())) {
              wanted.put(number, slot.home().since());
            }
          }
        });
    return wanted;
  }
}
