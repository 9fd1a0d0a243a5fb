package dev.tarn.targetnode.store.room;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.extent.Pages;
import dev.tarn.targetnode.store.extent.SparseUnits;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.residents.Reference;
import dev.tarn.targetnode.store.residents.Resident;
import dev.tarn.targetnode.store.residents.Residents;
import java.util.List;
import java.util.Optional;

/** Decides, before the first byte is fetched, whether bytes are kept, and what leaves for them. */
public final class CacheRoom {
  private final Room room;
  private final Evictor evictor;
  private final Residents residents;

  public CacheRoom(Room room, Evictor evictor, Residents residents) {
    this.room = room;
    this.evictor = evictor;
    this.residents = residents;
  }

  /** Whether a unit of this size has room without displacing another. */
  public boolean isFreeFor(long bytes) {
    return room.cacheRoomBytes() >= bytes;
  }

  /**
   * Room for a unit; empty if the cache keeps what it has.
   *
   * @param reference what the read found: one that repeats another changes no decision
   */
  public Optional<Admission> admit(Unit unit, Reference reference) {
    long id = Units.idOf(unit);
    int bytes = Unit.fileBytes(id);
    return admitRead(id, bytes, unit.object(), reference);
  }

  private Optional<Admission> admitRead(long id, int bytes, ObjectName name, Reference reference) {
    return admit(
        bytes,
        needed ->
            reference == Reference.REPEATED && needed > 0
                ? Optional.empty()
                : residents.displace(id, bytes, name, needed));
  }

  /** Room for a small object that was read; empty if the cache keeps what it has. */
  public Optional<Admission> admitSmall(ObjectName name, long objectBytes) {
    long id = CachedRecords.idOf(name);
    Reference reference = residents.reference(id, name);
    return admitRead(id, (int) CachedRecords.recordBytes(objectBytes), name, reference);
  }

  /** Room for a small object that is being written; empty if the cache keeps what it has. */
  public Optional<Admission> admitWrittenSmall(ObjectName name, long objectBytes) {
    return admitWrittenBytes(name, CachedRecords.recordBytes(objectBytes));
  }

  private Optional<Admission> admitWrittenBytes(ObjectName name, long bytes) {
    return admit(bytes, needed -> residents.displaceForWritten(name, bytes, needed));
  }

  /**
   * Room for pages of a unit; empty if the cache keeps what it has. Pages that were asked for
   * before, and the first ones of a unit, take the room of pages that were not asked for lately.
   * Others only displace what is worth nothing.
   *
   * @param pages how many
   * @param askedBefore whether they were asked for before, not long ago
   */
  public Optional<Admission> admitPages(Unit unit, int pages, boolean askedBefore) {
    long id = unit.sparseId();
    boolean isThere = residents.isResident(id);
    int bytes = isThere ? pages * Pages.BYTES : SparseUnits.fileBytes(unit, pages);
    return admit(
        bytes,
        needed -> {
          ObjectName name = unit.object();
          if (!askedBefore && isThere) {
            return residents.displaceForWritten(name, bytes, needed);
          }
          long trimmed = needed > 0 ? evictor.trim(needed) : 0;
          return trimmed >= needed
              ? residents.displace(id, bytes, name, 0)
              : residents.displaceForWritten(name, bytes, needed);
        });
  }

  /** Room for an object that is being written; empty if the cache keeps what it has. */
  public Optional<Admission> admitWritten(ObjectName name, long objectBytes) {
    return admitWrittenBytes(name, Units.fileBytes(objectBytes));
  }

  /** Finds what can leave for so many bytes; not positive if there is room. */
  private interface Victims {
    Optional<List<Resident>> of(long needed);
  }

  private Optional<Admission> admit(long bytes, Victims displacing) {
    Room.Promise promise = room.promiseToCache(bytes);
    long missing = -room.cacheRoomBytes();
    Optional<List<Resident>> victims = displacing.of(Math.min(missing, bytes));
    if (victims.isEmpty()) {
      promise.close();
      return Optional.empty();
    }
    Admission admission = new Admission(promise, bytes, victims.orElseThrow());
    room.displacing(admission.displacedBytes());
    if (room.writableBytes() + admission.displacedBytes() < 0) {
      admission.close(); // Compaction has to free segments first.
      return Optional.empty();
    }
    return Optional.of(admission);
  }

  /** Room for bytes that are fetched or written. One thread at a time. */
  public final class Admission implements AutoCloseable {
    private final Room.Promise promise;
    private final long bytes;
    private List<Resident> victims;

    private Admission(Room.Promise promise, long bytes, List<Resident> victims) {
      this.promise = promise;
      this.bytes = bytes;
      this.victims = victims;
    }

    /** The bytes of files that leave; those of records in the log are free only later. */
    private long displacedBytes() {
      return victims.stream().filter(victim -> !victim.isInLog()).mapToLong(Resident::bytes).sum();
    }

    /** The bytes have begun to arrive: what they displace leaves. Blocks. */
    public void begin() {
      long displaced = displacedBytes();
      victims.forEach(evictor::displace);
      victims = List.of();
      room.displacing(-displaced);
    }

    /** So many bytes have been written. */
    public void written(long count) {
      promise.written(count);
    }

    /** All bytes have been written. */
    public void writtenWhole() {
      promise.written(bytes);
    }

    /** Ends the write. If it has not begun, what it would have displaced stays. */
    @Override
    public void close() {
      long displaced = displacedBytes();
      victims.forEach(residents::putBack);
      victims = List.of();
      room.displacing(-displaced);
      promise.close();
    }
  }
}
