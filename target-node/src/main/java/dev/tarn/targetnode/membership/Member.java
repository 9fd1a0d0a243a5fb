package dev.tarn.targetnode.membership;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.SlotHolder;
import dev.tarn.cluster.map.SlotTable;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The view of a target that follows the control plane. The target serves only while the cluster map
 * lists it with exactly its disks. Otherwise it could report another owner's keys as not found, and
 * take writes that no reader finds.
 */
public final class Member implements ClusterView {
  private final TargetId id;
  private final Set<DiskId> disks;
  private final ControlPlane control;
  private volatile Judgement judgement;

  /**
   * The view of this target.
   *
   * @param disks all disks of this target, in service or not
   */
  public Member(TargetId id, Set<DiskId> disks, ControlPlane control) {
    this.id = requireNonNull(id, "id is null");
    this.disks = Set.copyOf(requireNonNull(disks, "disks is null"));
    this.control = requireNonNull(control, "control is null");
    this.judgement = judge(control.state());
  }

  /** The id of this target. */
  TargetId id() {
    return id;
  }

  /**
   * This target in the newest map; empty if the map does not list exactly its disks. Another
   * process may have the same id: what is in its disks says nothing of the member's slots.
   */
  Optional<MapTarget> listed() {
    return control
        .state()
        .map()
        .flatMap(map -> map.target(id))
        .filter(member -> otherDisks(member).isEmpty());
  }

  /** Why the target does not serve under the map of this epoch, which has only one map. */
  private record Judgement(long epoch, Optional<Failure> refusal) {}

  /** The epoch of the newest map of this control plane; 0 if there is none. */
  public static long mapEpoch(ControlPlane control) {
    return epoch(control.state());
  }

  private static long epoch(ControlState state) {
    Optional<ClusterMap> map = state.map();
    return map.isPresent() ? map.orElseThrow().epoch() : 0;
  }

  @Override
  public long mapEpoch() {
    return mapEpoch(control);
  }

  @Override
  public @Nullable SlotTable slots() {
    Optional<ClusterMap> map = control.state().map();
    return map.isPresent() ? map.orElseThrow().slots() : null;
  }

  @Override
  public boolean isOwn(SlotHolder holder) {
    return holder.target().equals(id);
  }

  @Override
  public long settingsVersion() {
    return control.state().version();
  }

  @Override
  public @Nullable Bucket bucket(BucketId bucket) {
    return control.state().bucket(bucket);
  }

  @Override
  public OptionalDouble shareOf(DiskId disk) {
    return control
        .state()
        .map()
        .map(map -> map.shareOf(disk))
        .filter(share -> share > 0)
        .map(OptionalDouble::of)
        .orElseGet(OptionalDouble::empty);
  }

  @Override
  public boolean isDeleted(BucketId bucket) {
    return control.state().isDeleted(bucket);
  }

  @Override
  public Optional<Failure> refusal() {
    ControlState state = control.state();
    Judgement last = judgement;
    if (last.epoch() != epoch(state)) {
      last = judge(state);
      judgement = last;
    }
    return last.refusal();
  }

  @Override
  public CompletionStage<Boolean> refresh() {
    return control.refresh();
  }

  private Judgement judge(ControlState state) {
    return new Judgement(epoch(state), problem(state).map(Failure.Unavailable::new));
  }

  private Optional<String> problem(ControlState state) {
    Optional<ClusterMap> map = state.map();
    if (map.isEmpty()) {
      return Optional.of("The target " + id + " knows no cluster map yet.");
    }
    Optional<MapTarget> listed = map.orElseThrow().target(id);
    if (listed.isEmpty()) {
      return Optional.of(
          "The target " + id + " is not in the cluster map of epoch " + epoch(state) + ".");
    }
    if (!listed.orElseThrow().serves()) {
      return Optional.of(
          "The target " + id + " is out of service; tarn cluster in " + id + " lets it serve.");
    }
    return otherDisks(listed.orElseThrow());
  }

  private Optional<String> otherDisks(MapTarget listed) {
    for (MapDisk disk : listed.disks()) {
      if (!disks.contains(disk.id())) {
        return Optional.of(
            "The cluster map names disk "
                + disk.id()
                + " of the target "
                + id
                + ", which is not there.");
      }
    }
    return listed.disks().size() == disks.size()
        ? Optional.empty()
        : Optional.of(
            "The target "
                + id
                + " has "
                + disks.size()
                + " disks, of which the cluster map names "
                + listed.disks().size()
                + ".");
  }
}
