package dev.tarn.cluster.control.remote;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The control plane of a control node. It takes no changes once a member knows a newer state: the
 * log was then restored from a copy. A change would assign ids of buckets, map epochs and state
 * versions a second time. An administrator continues with {@link Command.Restore}, which skips
 * everything that members know.
 */
public final class GuardedControlPlane implements ControlPlane {
  private final ControlPlane plane;
  private final AtomicLong newestKnown = new AtomicLong();

  public GuardedControlPlane(ControlPlane plane) {
    this.plane = requireNonNull(plane, "plane is null");
  }

  /** Notes that a member of this cluster knows the state of this version. */
  void memberKnows(long version) {
    newestKnown.accumulateAndGet(version, Math::max);
  }

  @Override
  public ControlState state() {
    return plane.state();
  }

  @Override
  public CompletionStage<Boolean> refresh() {
    return plane.refresh();
  }

  @Override
  public Watch watch(Consumer<ControlState> listener) {
    return plane.watch(listener);
  }

  @Override
  public CompletionStage<CommandOutcome> submit(Command command) {
    long known = newestKnown.get();
    long version = plane.state().version();
    if (command instanceof Command.Restore restore) {
      return plane.submit(
          new Command.Restore(restore.timeMs(), Math.max(known, restore.newestVersion())));
    }
    return known <= version
        ? plane.submit(command)
        : CompletableFuture.completedFuture(
            new CommandOutcome.Unavailable(
                "the control node has the state of version "
                    + version
                    + ", but members know version "
                    + known
                    + ": was its data restored from a copy? Changes are refused until an"
                    + " administrator has said so by 'tarn cluster restored'"));
  }
}
