package dev.tarn.targetnode.local;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.SlotHolder;
import dev.tarn.cluster.map.SlotTable;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.membership.ClusterView;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.index.IndexCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The disks of this node. The slots of the cluster map decide which one holds a key. */
public final class NodeDisks {
  private static final TargetId SELF = new TargetId("self");

  private final List<NodeDisk> disks;
  private final Map<DiskId, NodeDisk> byId;
  private final ClusterView view;

  /** The slots of a node that has all of them, and of reads for which this node stands in. */
  private final SlotTable ownSlots;

  /** Takes at least one disk; all have the same weight. */
  public NodeDisks(List<NodeDisk> disks, ClusterView view) {
    this.disks = List.copyOf(disks);
    this.byId = this.disks.stream().collect(Collectors.toMap(NodeDisk::id, Function.identity()));
    this.view = view;
    this.ownSlots =
        ClusterMap.first(
                List.of(
                    MapTarget.ofEqualDisks(SELF, this.disks.stream().map(NodeDisk::id).toList())))
            .slots();
  }

  public List<NodeDisk> all() {
    return disks;
  }

  /** The store of the disk that holds this object, or the failure if the disk is out of service. */
  public Outcome<DiskStore> storeOf(ObjectName name) {
    return serving(disks.size() == 1 ? disks.getFirst() : diskOf(name));
  }

  private NodeDisk diskOf(ObjectName name) {
    SlotTable slots = view.slots();
    Bucket bucket = view.bucket(name.bucket());
    if (slots != null && bucket != null) {
      Slot slot = slots.of(name.bucket(), name.key());
      NodeDisk own = byId.get(slot.holder(bucket.keysOf(name.key())).disk());
      if (own != null) {
        return own;
      }
    }
    Slot slot = ownSlots.of(name.bucket(), name.key());
    return requireNonNull(byId.get(slot.home().disk()), "own slots are on own disks");
  }

  /**
   * Whether a disk is the home of an object of a bucket without a backend. Another object may be
   * left there from a time when the disk was the home: nobody reads it, so nobody may list it.
   */
  boolean isHome(DiskStore store, ObjectName name) {
    SlotTable slots = view.slots();
    if (slots == null) {
      return true;
    }
    SlotHolder home = slots.of(name.bucket(), name.key()).home();
    return view.isOwn(home) && (disks.size() == 1 || home.disk().equals(store.id()));
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

  /**
   * The slots that have objects or open uploads of buckets without a backend, on the disks in
   * service. All changes that were decided before this call count; blocks.
   *
   * @throws IOException if a disk is out of service or too busy, so that nobody knows what it has
   */
  public Set<Integer> primarySlotsInUse() throws IOException {
    if (!(allStores() instanceof Outcome.Success<List<DiskStore>>(List<DiskStore> stores))) {
      throw new IOException("a disk is out of service");
    }
    Set<Integer> inUse = new HashSet<>();
    for (DiskStore store : stores) {
      CommitResult<Boolean> barrier =
          store
              .commit(ignored -> new Decision.Nothing<>(true), Durability.SYSTEM)
              .toCompletableFuture()
              .join();
      if (!(barrier instanceof CommitResult.Committed<Boolean>)) {
        throw new IOException("disk " + store.id() + " does not take a commit now");
      }
      try (IndexCursor objects = store.index().allObjectsInPassing();
          IndexCursor uploads = store.index().allUploadsInPassing()) {
        while (objects.nextObject()) {
          addPrimary(objects, inUse);
        }
        while (uploads.next()) {
          if (!uploads.cancels()) {
            addPrimary(uploads, inUse);
          }
        }
      }
    }
    return inUse;
  }

  private void addPrimary(IndexCursor cursor, Set<Integer> slots) {
    BucketId bucket = cursor.bucket();
    if (!view.isCached(bucket) && !view.isDeleted(bucket)) {
      slots.add(Slot.of(bucket, cursor.name().key()));
    }
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
