package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.wire.SettingsTable;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * Tells targets the settings of buckets: each change at once, and what a target has missed when it
 * answers again or says so in a call. A change of buckets made through {@link #controlPlane} is
 * answered when every target has been told or found away, so that a new bucket can be used at once.
 */
public final class SettingsPublisher implements Refresh, AutoCloseable {
  private final ControlPlane control;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("tarn-settings").daemon().factory());
  private final Map<TargetId, TargetSettings> targets = new HashMap<>();
  private final ControlPlane.Watch watch;
  private volatile SettingsTable table = SettingsTable.EMPTY;

  /**
   * Starts to publish.
   *
   * @param members who is told, each with at least one address
   */
  public SettingsPublisher(
      ControlPlane control,
      Collection<MapTarget> members,
      SettingsTransport transport,
      Capabilities capabilities) {
    this.control = requireNonNull(control, "control is null");
    for (MapTarget member : members) {
      targets.put(
          member.id(), new TargetSettings(member, transport, capabilities, timer, () -> table));
    }
    this.watch = control.watch(this::changed);
  }

  /** The same control plane, whose changes of buckets wait until the targets have been told. */
  public ControlPlane controlPlane() {
    return new Published();
  }

  @Override
  public CompletionStage<?> refresh() {
    targets.values().forEach(TargetSettings::publish);
    return published();
  }

  private synchronized void changed(ControlState state) {
    SettingsTable newer = SettingsTable.of(state);
    boolean told = table.version() > 0 && newer.buckets().equals(table.buckets());
    if (newer.version() > table.version() && !told) {
      table = newer;
      targets.values().forEach(TargetSettings::publish);
    }
  }

  private CompletionStage<Void> published() {
    changed(control.state());
    return CompletableFuture.allOf(
        targets.values().stream()
            .map(TargetSettings::underWay)
            .toArray(CompletableFuture<?>[]::new));
  }

  @Override
  public void close() {
    watch.close();
    timer.shutdownNow();
  }

  private final class Published implements ControlPlane {
    @Override
    public ControlState state() {
      return control.state();
    }

    @Override
    public CompletionStage<Boolean> refresh() {
      return control.refresh();
    }

    @Override
    public CompletionStage<CommandOutcome> submit(Command command) {
      return control
          .submit(command)
          .thenCompose(outcome ->
              outcome instanceof CommandOutcome.Applied
                  ? published().thenApply(told -> outcome)
                  : completedFuture(outcome));
    }

    @Override
    public Watch watch(Consumer<ControlState> listener) {
      return control.watch(listener);
    }
  }
}
