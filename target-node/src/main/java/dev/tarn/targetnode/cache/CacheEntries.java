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
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.index.Lookup;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.record.Unit;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entries of cached objects in the store. Failing to keep an entry does not fail a read, so
 * most results are optional. Calls block.
 */
final class CacheEntries {
  private static final Logger LOG = LoggerFactory.getLogger(CacheEntries.class);

  private final Function<ObjectName, DiskStore> disks;
  private final InstantSource clock;
  private final ToLongFunction<ObjectName> ownedSince;
  private final WriteGenerations generations = new WriteGenerations();

  /**
   * Entries on these disks.
   *
   * @param ownedSince the epoch since which this target has the slot of a key; 0 if it does not
   *     have the slot
   */
  CacheEntries(
      Function<ObjectName, DiskStore> disks,
      InstantSource clock,
      ToLongFunction<ObjectName> ownedSince) {
    this.disks = disks;
    this.clock = clock;
    this.ownedSince = ownedSince;
  }

  /** The disk that stores the object's bytes. */
  DiskStore diskOf(ObjectName name) {
    return disks.apply(name);
  }

  /**
   * What is noted before the backend is asked for an object.
   *
   * @param generation the write count of the key: a read that began before a write must not cache
   *     its result
   * @param ownedSince the epoch since which this target has the slot; 0 if it does not have the
   *     slot
   */
  record Asked(long generation, long ownedSince) {}

  /** To be called before the backend is asked. */
  Asked asking(ObjectName name) {
    return new Asked(generations.of(name), ownedSince.applyAsLong(name));
  }

  /**
   * Whether the entry may be served without asking the backend. Another target may have written the
   * object while it had the slot, so this target must have had the slot ever since it asked.
   */
  boolean isOwnedSinceAsked(ObjectMetadata metadata) {
    Origin origin = metadata.origin();
    long since = ownedSince.applyAsLong(metadata.name());
    return since > 0 && (origin == null || origin.ownedSince() >= since);
  }

  /** The write counts of keys. */
  WriteGenerations generations() {
    return generations;
  }

  /** The entry, if it exists. */
  Optional<ObjectRecord> find(ObjectName name) throws IOException {
    return Optional.ofNullable(objectOf(diskOf(name).index().find(name)));
  }

  /** The entry that a look-up found; looks up, and blocks, if the look-up would have waited. */
  Optional<ObjectRecord> find(ObjectName name, Lookup lookup) throws IOException {
    return switch (lookup) {
      case Lookup.Found(IndexEntry entry) -> Optional.ofNullable(objectOf(entry));
      case Lookup.Missing missing -> Optional.empty();
      case Lookup.WouldWait wouldWait -> find(name);
    };
  }

  /** The object of an entry; null if there is none. */
  static @Nullable ObjectRecord objectOf(@Nullable IndexEntry entry) {
    return entry != null && entry.entry() instanceof LogEntry.ObjectStored stored
        ? stored.object()
        : null;
  }

  /**
   * A unit's file, which the caller releases; empty if the unit is absent, or if its file cannot be
   * read. Then a fetch replaces it.
   */
  Optional<OpenFile> hold(Unit unit) {
    DiskStore disk = diskOf(unit.object());
    try {
      return Optional.of(disk.units().hold(unit));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      disk.health().failureOf(e); // Counts and logs it.
      return Optional.empty();
    }
  }

  /** Whether an object of this size is kept in the log. */
  boolean isSmall(ObjectName name, long sizeBytes) {
    return sizeBytes <= diskOf(name).settings().inlineBytesMax();
  }

  /** Whether the entry of the object's name still has the same bytes. */
  boolean isCurrent(ObjectRecord object) throws IOException {
    return find(object.metadata().name())
        .filter(present -> present.metadata().version().equals(object.metadata().version()))
        .isPresent();
  }

  /**
   * Creates an entry of an object whose bytes go into units; empty if it cannot be kept. An entry
   * that has the same bytes already keeps them, and gets the backend's description.
   *
   * @param before the entry that the caller has found; empty if it found none
   */
  Optional<ObjectRecord> install(
      ObjectName name,
      BackendObject object,
      Optional<ObjectRecord> before,
      Asked asked,
      long validatedMs)
      throws IOException {
    Optional<Payload> payload =
        before.filter(ObjectRecord::isInline).isPresent()
            ? payload(name, object)
            : Optional.empty();
    return kept(
        replace(
            name,
            Durability.SYSTEM,
            view -> {
              if (generations.of(name) != asked.generation()) {
                return new Decision.Refuse<>(new Failure.LostRace());
              }
              ObjectRecord present = view.object(name);
              if (present != null && says(present.metadata(), object, asked)) {
                return new Decision.Nothing<>(present);
              }
              if (present != null && isSame(present.metadata(), object)) {
                ObjectRecord revised =
                    present.revised(
                        metadata(name, object, present.metadata().version(), validatedMs, asked),
                        view.mapEpoch());
                LogEntry stored = new LogEntry.ObjectStored(revised);
                if (present.isInUnits()) {
                  return new Decision.Write<>(stored, revised);
                }
                if (payload.filter(bytes -> bytes.isOf(present)).isPresent()) {
                  return new Decision.Write<>(stored, payload.orElseThrow().bytes(), revised);
                }
              }
              ObjectRecord entry =
                  entry(
                      metadata(name, object, view.nextVersion(), validatedMs, asked),
                      new Piece.CachedUnits(object.sizeBytes()));
              return new Decision.Write<>(new LogEntry.ObjectStored(entry), entry);
            }));
  }

  /** The bytes of an entry that are in its log record. */
  private record Payload(ObjectVersion version, ByteBuffer bytes) {
    boolean isOf(ObjectRecord object) {
      return object.isInline() && object.metadata().version().equals(version);
    }
  }

  /** The bytes of the present entry, if they are those of the object, inline, and whole. */
  private Optional<Payload> payload(ObjectName name, BackendObject same) throws IOException {
    DiskStore disk = diskOf(name);
    IndexEntry entry = disk.index().find(name);
    ObjectRecord object = objectOf(entry);
    if (entry == null || object == null || !object.isInline() || !isSame(object.metadata(), same)) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.allocate(entry.location().payloadLength());
    try {
      disk.log().readPayload(entry.location(), bytes);
    } catch (NoSuchFileException | UnreadableFormatException | EOFException e) {
      LOG.debug("The cached bytes of {} cannot be kept", name, e);
      return Optional.empty(); // Moved by compaction, or damaged: fetched again.
    }
    return Optional.of(new Payload(object.metadata().version(), bytes.rewind()));
  }

  /** Creates an entry whose bytes are small enough for the log; empty if it cannot be kept. */
  Optional<ObjectRecord> installInline(
      ObjectName name, BackendObject object, ByteBuffer bytes, Asked asked, long validatedMs) {
    return kept(
        replace(
            name,
            Durability.SYSTEM,
            view -> {
              if (generations.of(name) != asked.generation()) {
                return new Decision.Refuse<>(new Failure.LostRace());
              }
              ObjectRecord entry =
                  entry(
                      metadata(name, object, view.nextVersion(), validatedMs, asked),
                      new Piece.Inline(bytes.remaining()));
              return new Decision.Write<>(new LogEntry.ObjectStored(entry), bytes, entry);
            }));
  }

  /**
   * Creates an entry of an object that was just written. The backend has not described it yet.
   *
   * @param inline its bytes if they are small enough for the log; empty if they are in units
   * @param durability of the removal of the entry that it replaces
   */
  CommitResult<ObjectRecord> installWritten(
      ObjectName name,
      BackendObject object,
      Optional<ByteBuffer> inline,
      Asked asked,
      Durability durability) {
    Piece piece =
        inline
            .<Piece>map(bytes -> new Piece.Inline(bytes.remaining()))
            .orElseGet(() -> new Piece.CachedUnits(object.sizeBytes()));
    return replace(
        name,
        durability,
        view -> {
          if (generations.of(name) != asked.generation()) {
            return new Decision.Refuse<>(new Failure.LostRace());
          }
          ObjectRecord entry = entry(metadata(name, object, view.nextVersion(), 0, asked), piece);
          LogEntry stored = new LogEntry.ObjectStored(entry);
          return inline.isPresent()
              ? new Decision.Write<>(stored, inline.orElseThrow().duplicate(), entry)
              : new Decision.Write<>(stored, entry);
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
        replace(
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

  /** Commits a change that may replace the entry, and removes the units that it leaves unused. */
  private <T> CommitResult<T> replace(ObjectName name, Durability durability, Change<T> change) {
    DiskStore disk = diskOf(name);
    AtomicReference<@Nullable ObjectRecord> former = new AtomicReference<>();
    CommitResult<T> result =
        disk.commit(
                view -> {
                  former.set(view.object(name));
                  return change.decide(view);
                },
                durability)
            .toCompletableFuture()
            .join();
    ObjectRecord replaced = former.get();
    if (replaced != null && replaced.isInUnits() && !hasUnitsOf(replaced)) {
      disk.units().remove(replaced);
    }
    return result;
  }

  /** Whether the entry still uses the units that it had; also if that cannot be read. */
  private boolean hasUnitsOf(ObjectRecord former) {
    try {
      return find(former.metadata().name())
          .filter(ObjectRecord::isInUnits)
          .filter(present -> present.unit(0).equals(former.unit(0)))
          .isPresent();
    } catch (IOException e) {
      LOG.debug("The entry of {} could not be read", former.metadata().name(), e);
      return true;
    }
  }

  private static <T> Optional<T> kept(CommitResult<T> result) {
    return result instanceof CommitResult.Committed<T> committed
        ? Optional.of(committed.value())
        : Optional.empty();
  }

  private static ObjectRecord entry(ObjectMetadata metadata, Piece piece) {
    return ObjectRecord.first(metadata, "", List.of(piece));
  }

  /**
   * The metadata of an object without an entry. Its version is made from the backend's time,
   * because this target assigned none.
   */
  ObjectMetadata unkept(ObjectName name, BackendObject object) {
    return metadata(
        name,
        object,
        new ObjectVersion(0, object.modifiedMs(), 0),
        clock.millis(),
        new Asked(0, 0));
  }

  private static ObjectMetadata metadata(
      ObjectName name, BackendObject object, ObjectVersion version, long validatedMs, Asked asked) {
    Origin origin =
        new Origin(
            object.validator(), object.version().orElse(null), validatedMs, asked.ownedSince());
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
    Origin origin = present.origin();
    return present.etag().equals(object.etag())
        && present.sizeBytes() == object.sizeBytes()
        && origin != null
        && Objects.equals(origin.version(), object.version().orElse(null));
  }

  /** Whether an entry has the bytes of this object of the backend, and everything said of it. */
  static boolean describes(ObjectMetadata present, BackendObject object) {
    Origin origin = present.origin();
    return isSame(present, object)
        && origin != null
        && origin.validatedMs() > 0
        && present.modifiedMs() == object.modifiedMs()
        && describes(present.attributes(), object.attributes());
  }

  /** Whether an entry says all that the backend's answer does, and counts for as long. */
  static boolean says(ObjectMetadata present, BackendObject object, Asked asked) {
    Origin origin = present.origin();
    return describes(present, object)
        && origin != null
        && origin.ownedSince() >= asked.ownedSince();
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
