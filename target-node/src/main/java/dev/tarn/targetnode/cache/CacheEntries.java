package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.record.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The cached objects as the store keeps them. What it cannot keep is no failure of a read, so most
 * answers are optional. Calls block.
 */
final class CacheEntries {
  private final Function<ObjectName, DiskStore> disks;
  private final InstantSource clock;
  private final WriteGenerations generations = new WriteGenerations();

  CacheEntries(Function<ObjectName, DiskStore> disks, InstantSource clock) {
    this.disks = disks;
    this.clock = clock;
  }

  /** The disk that keeps the object's bytes. */
  DiskStore diskOf(ObjectName name) {
    return disks.apply(name);
  }

  /** Counts the writes of a key, so that a read begun before one does not cache what it saw. */
  WriteGenerations generations() {
    return generations;
  }

  /** The entry, if there is one. */
  Optional<StoredObject> find(ObjectName name) throws IOException {
    IndexEntry entry = diskOf(name).index().find(name);
    return entry != null && entry.entry() instanceof LogEntry.ObjectStored stored
        ? Optional.of(stored.object())
        : Optional.empty();
  }

  /** Makes an entry of which nothing is here yet; empty if it cannot be kept. */
  Optional<StoredObject> install(ObjectName name, BackendObject object, long generation) {
    return kept(
        commit(
            name,
            view -> {
              if (generations.of(name) != generation) {
                return new Decision.Refuse<>(new Failure.LostRace());
              }
              StoredObject present = view.object(name);
              if (present != null && isSame(present.metadata(), object)) {
                return new Decision.Nothing<>(present);
              }
              StoredObject entry =
                  entry(name, object, view.nextVersion(), Units.allAbsent(object.sizeBytes()));
              return new Decision.Write<>(new LogEntry.ObjectStored(entry), entry);
            }));
  }

  /** Makes an entry whose bytes are small enough for the log; empty if it cannot be kept. */
  Optional<StoredObject> installInline(
      ObjectName name, BackendObject object, ByteBuffer bytes, long generation) {
    return kept(
        commit(
            name,
            view -> {
              if (generations.of(name) != generation) {
                return new Decision.Refuse<>(new Failure.LostRace());
              }
              StoredObject entry =
                  entry(
                      name,
                      object,
                      view.nextVersion(),
                      List.of(new Piece.Inline(bytes.remaining())));
              return new Decision.Write<>(new LogEntry.ObjectStored(entry), bytes, entry);
            }));
  }

  /** Makes an entry of an object that was written, whole in one extent. */
  CommitResult<StoredObject> installWritten(
      ObjectName name, BackendObject object, ExtentWriter extent, long generation) {
    return commit(
        name,
        view -> {
          if (generations.of(name) != generation) {
            return new Decision.Refuse<>(new Failure.LostRace());
          }
          StoredObject entry =
              entry(
                  name,
                  object,
                  view.nextVersion(),
                  Units.allIn(extent.id(), extent.tableCrc(), object.sizeBytes()));
          return new Decision.Write<>(new LogEntry.ObjectStored(entry), entry);
        });
  }

  /** Notes where a unit's bytes are, unless the object is another one by now. */
  CommitResult<StoredObject> fill(ObjectName name, ObjectVersion version, int unit, Piece piece) {
    return commit(
        name,
        view -> {
          StoredObject present = view.object(name);
          if (present == null || !present.metadata().version().equals(version)) {
            return new Decision.Refuse<>(new Failure.LostRace());
          }
          StoredObject revised =
              present.revised(Units.with(present.pieces(), unit, piece), view.mapEpoch());
          return new Decision.Write<>(new LogEntry.ObjectStored(revised), revised);
        });
  }

  /**
   * Removes the entry, whatever it is. What must not stay and cannot be removed fails the call:
   * else a write would be answered that later reads do not see.
   */
  void drop(ObjectName name) {
    CommitResult<Boolean> result =
        commit(
            name,
            view ->
                view.object(name) == null
                    ? new Decision.Nothing<>(true)
                    : new Decision.Write<>(
                        new LogEntry.ObjectDeleted(name, view.nextVersion()), true));
    if (result.outcome() instanceof Outcome.Failed<Boolean> failed) {
      throw new CallRefusedException(failed.failure());
    }
  }

  private <T> CommitResult<T> commit(ObjectName name, Change<T> change) {
    return diskOf(name).commit(change, Durability.SYSTEM).toCompletableFuture().join();
  }

  private static <T> Optional<T> kept(CommitResult<T> result) {
    return result instanceof CommitResult.Committed<T> committed
        ? Optional.of(committed.value())
        : Optional.empty();
  }

  /** What is known of an object of the backend, under a version of ours. */
  StoredObject entry(
      ObjectName name, BackendObject object, ObjectVersion version, List<Piece> pieces) {
    return StoredObject.first(metadata(name, object, version), "", pieces);
  }

  /** The metadata of what has no entry: its version is not ours to give. */
  ObjectMetadata unkept(ObjectName name, BackendObject object) {
    return metadata(name, object, new ObjectVersion(0, object.modifiedMs(), 0));
  }

  /** The metadata of an object of the backend, validated now. */
  ObjectMetadata metadata(ObjectName name, BackendObject object, ObjectVersion version) {
    Origin origin = new Origin(object.etag(), object.version().orElse(null), clock.millis());
    return new ObjectMetadata(
        name,
        version,
        true,
        false,
        object.sizeBytes(),
        object.etag(),
        List.of(),
        object.attributes(),
        object.modifiedMs(),
        List.of(),
        origin);
  }

  private static boolean isSame(ObjectMetadata present, BackendObject object) {
    return present.etag().equals(object.etag()) && present.sizeBytes() == object.sizeBytes();
  }
}
