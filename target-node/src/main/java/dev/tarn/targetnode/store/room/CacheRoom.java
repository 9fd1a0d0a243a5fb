package dev.tarn.targetnode.store.room;

import dev.tarn.targetnode.store.extent.Pages;
import dev.tarn.targetnode.store.extent.SparseUnits;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.residents.Reference;
import dev.tarn.targetnode.store.residents.Resident;
import dev.tarn.targetnode.store.residents.Residents;
import java.util.List;
import java.util.Optional;

/** Decides, before the first byte is fetched, whether a unit is kept, and what leaves for it. */
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
   * Whether an object of this size, which cannot be evicted, has room. It may take the headroom,
   * which the evictor then restores.
   */
  public boolean isFreeForSmall(long bytes) {
    return room.freeBytes() - room.promisedBytes() >= bytes;
  }

  /**
   * Room for a unit; empty if the cache keeps what it has.
   *
   * @param reference what the read found: one that repeats another changes no decision
   */
  public Optional<Admission> admit(Unit unit, Reference reference) {
    long id = Units.idOf(unit);
    int bytes = Unit.fileBytes(id);
    return admit(
        bytes,
        needed ->
            reference == Reference.REPEATED
                ? Optional.empty()
                : residents.displace(id, bytes, unit.object().bucket(), needed));
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
        needed ->
            (askedBefore || !isThere) && evictor.trim(needed) >= needed
                ? Optional.of(List.of())
                : residents.displaceForWritten(needed));
  }

  /** Room for an object that is being written; empty if the cache keeps what it has. */
  public Optional<Admission> admitWritten(long objectBytes) {
    return admit(Units.fileBytes(objectBytes), residents::displaceForWritten);
  }

  /** Finds what can leave for so many bytes. */
  private interface Displacing {
    Optional<List<Resident>> victims(long needed);
  }

  private Optional<Admission> admit(long bytes, Displacing displacing) {
    Room.Promise promise = room.promiseToCache(bytes);
    long missing = -room.cacheRoomBytes();
    if (missing <= 0) {
      return Optional.of(new Admission(promise, List.of()));
    }
    Optional<List<Resident>> victims = displacing.victims(Math.min(missing, bytes));
    if (victims.isEmpty()) {
      promise.close();
      return Optional.empty();
    }
    Admission admission = new Admission(promise, victims.orElseThrow());
    room.displacing(admission.victimBytes());
    return Optional.of(admission);
  }

  /** Room for bytes that are fetched or written. One thread at a time. */
  public final class Admission implements AutoCloseable {
    private final Room.Promise promise;
    private List<Resident> victims;

    private Admission(Room.Promise promise, List<Resident> victims) {
      this.promise = promise;
      this.victims = victims;
    }

    private long victimBytes() {
      return victims.stream().mapToLong(Resident::bytes).sum();
    }

    /** The bytes have begun to arrive: what they displace leaves. Blocks. */
    public void begin() {
      long bytes = victimBytes();
      victims.forEach(evictor::displace);
      victims = List.of();
      room.displacing(-bytes);
    }

    /** So many bytes have been written. */
    public void written(long bytes) {
      promise.written(bytes);
    }

    /** Ends the write. If it has not begun, what it would have displaced stays. */
    @Override
    public void close() {
      long bytes = victimBytes();
      victims.forEach(residents::putBack);
      victims = List.of();
      room.displacing(-bytes);
      promise.close();
    }
  }
}
