package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.ObjectAttributes;
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
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The entries of cached objects in the store. Failing to keep an entry does not fail a read, so
 * most results are optional. Calls block.
 */
final class CacheEntries {
  private final Function<ObjectName, DiskStore> disks;
  private final InstantSource clock;
  private final WriteGenerations generations = new WriteGenerations();

  CacheEntries(Function<ObjectName, DiskStore> disks, InstantSource clock) {
    this.disks = disks;
    this.clock = clock;
  }

  /** The disk that stores the object's bytes. */
  DiskStore diskOf(ObjectName name) {
    return disks.apply(name);
  }

  /** The write counts of keys: a read that began before a write must not cache its result. */
  WriteGenerations generations() {
    return generations;
  }

  /** The entry, if it exists. */
  Optional<ObjectRecord> find(ObjectName name) throws IOException {
    IndexEntry entry = diskOf(name).index().find(name);
    return entry != null && entry.entry() instanceof LogEntry.ObjectStored stored
        ? Optional.of(stored.object())
        : Optional.empty();
  }

  /**
   * Creates an entry whose units are all absent; empty if it cannot be kept. An entry that has the
   * same bytes already keeps them, and gets the backend's description.
   */
  Optional<ObjectRecord> install(ObjectName name, BackendObject object, long generation) {
    return kept(
        commit(
            name,
            view -> {
              if (generations.of(name) != generation) {
                return new Decision.Refuse<>(new Failure.LostRace());
              }
              ObjectRecord present = view.object(name);
              if (present != null && describes(present.metadata(), object)) {
                return new Decision.Nothing<>(present);
              }
              if (present != null && !present.isInline() && isSame(present.metadata(), object)) {
                ObjectRecord revised =
                    present.revised(
                        metadata(name, object, present.metadata().version()), view.mapEpoch());
                return new Decision.Write<>(new LogEntry.ObjectStored(revised), revised);
              }
              ObjectRecord entry =
                  entry(name, object, view.nextVersion(), Units.allAbsent(object.sizeBytes()));
              return new Decision.Write<>(new LogEntry.ObjectStored(entry), entry);
            }));
  }

  /** Creates an entry whose bytes are small enough for the log; empty if it cannot be kept. */
  Optional<ObjectRecord> installInline(
      ObjectName name, BackendObject object, ByteBuffer bytes, long generation) {
    return kept(
        commit(
            name,
            view -> {
              if (generations.of(name) != generation) {
                return new Decision.Refuse<>(new Failure.LostRace());
              }
              ObjectRecord entry =
                  entry(
                      name,
                      object,
                      view.nextVersion(),
                      List.of(new Piece.Inline(bytes.remaining())));
              return new Decision.Write<>(new LogEntry.ObjectStored(entry), bytes, entry);
            }));
  }

  /**
   * Creates an entry of an object that was just written, whole in one extent. The backend has not
   * described it yet.
   *
   * @param durability of the removal of the entry that it replaces
   */
  CommitResult<ObjectRecord> installWritten(
      ObjectName name,
      BackendObject object,
      ExtentWriter extent,
      long generation,
      Durability durability) {
    return commit(
        name,
        durability,
        view -> {
          if (generations.of(name) != generation) {
            return new Decision.Refuse<>(new Failure.LostRace());
          }
          ObjectRecord entry =
              ObjectRecord.first(
                  metadata(name, object, view.nextVersion(), 0),
                  "",
                  Units.allIn(extent.id(), extent.tableCrc(), object.sizeBytes()));
          return new Decision.Write<>(new LogEntry.ObjectStored(entry), entry);
        });
  }

  /** Records where a unit's bytes are, unless the object has been replaced. */
  CommitResult<ObjectRecord> fill(ObjectName name, ObjectVersion version, int unit, Piece piece) {
    return commit(
        name,
        view -> {
          ObjectRecord present = view.object(name);
          if (present == null || !present.metadata().version().equals(version)) {
            return new Decision.Refuse<>(new Failure.LostRace());
          }
          ObjectRecord revised =
              present.revised(Units.with(present.pieces(), unit, piece), view.mapEpoch());
          return new Decision.Write<>(new LogEntry.ObjectStored(revised), revised);
        });
  }

  /** Removes an entry that is damaged or older than the backend's object. */
  void drop(ObjectName name) {
    drop(name, Durability.SYSTEM);
  }

  /**
   * Removes the entry, whatever its version. Throws a {@link CallRefusedException} if that fails,
   * because a later read would otherwise miss an acknowledged write.
   */
  void drop(ObjectName name, Durability durability) {
    CommitResult<Boolean> result =
        commit(
            name,
            durability,
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
    return commit(name, Durability.SYSTEM, change);
  }

  private <T> CommitResult<T> commit(ObjectName name, Durability durability, Change<T> change) {
    return diskOf(name).commit(change, durability).toCompletableFuture().join();
  }

  private static <T> Optional<T> kept(CommitResult<T> result) {
    return result instanceof CommitResult.Committed<T> committed
        ? Optional.of(committed.value())
        : Optional.empty();
  }

  /** The entry of an object of the backend, with a version of this target. */
  ObjectRecord entry(
      ObjectName name, BackendObject object, ObjectVersion version, List<Piece> pieces) {
    return ObjectRecord.first(metadata(name, object, version), "", pieces);
  }

  /**
   * The metadata of an object without an entry. Its version is made from the backend's time,
   * because this target assigned none.
   */
  ObjectMetadata unkept(ObjectName name, BackendObject object) {
    return metadata(name, object, new ObjectVersion(0, object.modifiedMs(), 0));
  }

  /** The metadata of an object of the backend, validated now. */
  private ObjectMetadata metadata(ObjectName name, BackendObject object, ObjectVersion version) {
    return metadata(name, object, version, clock.millis());
  }

  private static ObjectMetadata metadata(
      ObjectName name, BackendObject object, ObjectVersion version, long validatedMs) {
    Origin origin = new Origin(object.validator(), object.version().orElse(null), validatedMs);
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

  /** Whether an entry has the bytes of this object of the backend. */
  static boolean isSame(ObjectMetadata present, BackendObject object) {
    return present.etag().equals(object.etag()) && present.sizeBytes() == object.sizeBytes();
  }

  /** Whether an entry has the bytes of this object of the backend, and everything said of it. */
  static boolean describes(ObjectMetadata present, BackendObject object) {
    Origin origin = present.origin();
    return isSame(present, object)
        && origin != null
        && origin.validatedMs() > 0
        && Objects.equals(origin.version(), object.version().orElse(null))
        && present.modifiedMs() == object.modifiedMs()
        && describes(present.attributes(), object.attributes());
  }

  /** Some servers compute Expires anew for each answer, so it shows no change. */
  private static boolean describes(ObjectAttributes present, ObjectAttributes given) {
    return present.userMetadata().equals(given.userMetadata())
        && withoutExpires(present).equals(withoutExpires(given));
  }

  private static Map<String, String> withoutExpires(ObjectAttributes attributes) {
    Map<String, String> headers = new HashMap<>(attributes.headers());
    headers.remove("expires");
    return headers;
  }
}
