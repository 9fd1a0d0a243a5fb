package dev.tarn.targetnode.local;

import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Rendezvous;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.DiskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The disks of this node. Rendezvous hashing over all of them decides which one holds a key. */
public final class NodeDisks {
  private final List<NodeDisk> disks;
  private final Map<DiskId, NodeDisk> byId;
  private final Rendezvous<MapDisk> rendezvous;

  /** Takes at least one disk; all have the same weight. */
  public NodeDisks(List<NodeDisk> disks) {
    this.disks = List.copyOf(disks);
    this.byId = this.disks.stream().collect(Collectors.toMap(NodeDisk::id, Function.identity()));
    this.rendezvous =
        Rendezvous.amongDisks(
            this.disks.stream()
                .map(disk -> new MapDisk(disk.id(), MemberState.IN_SERVICE, 1))
                .toList());
  }

  public List<NodeDisk> all() {
    return disks;
  }

  /** The store of the disk that holds this object, or the failure if the disk is out of service. */
  public Outcome<DiskStore> storeOf(ObjectName name) {
    NodeDisk disk =
        disks.size() == 1
            ? disks.getFirst()
            : byId.get(rendezvous.winner(name.bucket(), name.key()).id());
    return disk == null ? Outcome.failed(missing()) : serving(disk);
  }

  /**
   * The stores of all disks, or the failure if one is out of service: a listing must not miss any
   * disk.
   */
  public Outcome<List<DiskStore>> allStores() {
    List<DiskStore> stores = new ArrayList<>(disks.size());
    for (NodeDisk disk : disks) {
      switch (serving(disk)) {
        case Outcome.Success<DiskStore> success -> stores.add(success.value());
        case Outcome.Failed<DiskStore> failed -> {
          return Outcome.failed(failed.failure());
        }
      }
    }
    return Outcome.success(stores);
  }

  /** The stores of the disks that are in service. */
  public List<DiskStore> storesInService() {
    List<DiskStore> stores = new ArrayList<>(disks.size());
    for (NodeDisk disk : disks) {
      if (serving(disk) instanceof Outcome.Success<DiskStore> success) {
        stores.add(success.value());
      }
    }
    return stores;
  }

  private static Outcome<DiskStore> serving(NodeDisk disk) {
    Optional<Failure> refusal = disk.refusal();
    if (refusal.isPresent()) {
      return Outcome.failed(refusal.orElseThrow());
    }
    return disk instanceof NodeDisk.Opened opened
        ? Outcome.success(opened.store())
        : Outcome.failed(missing());
  }

  private static Failure missing() {
    return new Failure.Unavailable("The disk that holds this key is offline; see tarn status.");
  }
}
