package dev.tarn.targetnode.store;

import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.index.Index;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.residents.LeftBytes;
import dev.tarn.targetnode.store.residents.Residents;
import dev.tarn.targetnode.store.residents.Ticks;
import dev.tarn.targetnode.store.room.CacheRoom;
import dev.tarn.targetnode.store.room.CachedRecords;
import dev.tarn.targetnode.store.room.Evictor;
import dev.tarn.targetnode.store.room.Room;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The store of one disk. The log is authoritative: each change is a record in it. Large bytes are
 * in extents, which records name, or in units, which the backend has too. The index is derived from
 * the log and serves all look-ups.
 *
 * <p>Changes go through {@link #commit}. Bytes are written before, to an extent of {@link
 * #createExtent}, or are the payload of the record. Reads look up the index, then read the log or
 * the extents that the entry names. Meanwhile, compaction may move a record and a delete may remove
 * an extent: a reader that does not find a file looks up again.
 */
public final class DiskStore implements AutoCloseable {
  private final DiskId id;
  private final Disk disk;
  private final Closeable lock;
  private final StoreSettings settings;
  private final Log log;
  private final Extents extents;
  private final Residents residents;
  private final CachedRecords cachedRecords;
  private final Units units;
  private final Room room;
  private final Evictor evictor;
  private final CacheRoom cacheRoom;
  private final Index index;
  private final DiskHealth health;
  private final Committer committer;
  private final List<String> damage;

  private DiskStore(
      DiskId id,
      Disk disk,
      Closeable lock,
      StoreSettings settings,
      Log log,
      Extents extents,
      Clock clock,
      IntSupplier ticks,
      LongSupplier mapEpoch)
      throws IOException {
    this.id = id;
    this.disk = disk;
    this.lock = lock;
    this.settings = settings;
    this.log = log;
    this.extents = extents;
    DiskRecovery.Recovered recovered = new DiskRecovery(disk, settings, log, extents).run();
    this.index = recovered.index();
    this.damage = recovered.damage();
    this.health = new DiskHealth(disk.description(), settings.ioErrorsMax(), clock);
    this.residents =
        new Residents(settings.cache().newPolicy(), ticks, ThreadLocalRandom.current().nextLong());
    this.cachedRecords = new CachedRecords(residents, log, settings.deadRatioMax());
    cachedRecords.find(index);
    this.committer =
        new Committer(
            id.value(),
            log,
            index,
            extents,
            health,
            new VersionClock(clock, mapEpoch, recovered.clockMs()),
            cachedRecords,
            settings);
    this.units = new Units(disk, residents, settings.openExtentsMax());
    this.room =
        new Room(
            disk,
            units,
            residents,
            cachedRecords,
            settings.reserveBytes(),
            settings.cache().bound(),
            settings.cache().watermarks());
    this.evictor =
        new Evictor(
            disk, room, units, residents, cachedRecords, () -> health.outOfService().isEmpty());
    this.cacheRoom = new CacheRoom(room, evictor, residents);
  }

  /** The id of the disk; empty for a disk that has not been created. */
  public static Optional<DiskId> identify(Disk disk) throws IOException {
    return DiskIdentity.read(disk);
  }

  /**
   * Opens the store, creates it if the disk is empty, and recovers from a crash.
   *
   * @param mapEpoch the epoch of the newest cluster map, which goes into versions
   */
  public static DiskStore open(
      Disk disk, StoreSettings settings, Clock clock, LongSupplier mapEpoch) throws IOException {
    return open(disk, settings, clock, Ticks.ofProcess(), mapEpoch);
  }

  /**
   * Opens the store like {@link #open(Disk, StoreSettings, Clock, LongSupplier)}.
   *
   * @param ticks the time of the cache, as of {@link Ticks}
   */
  public static DiskStore open(
      Disk disk, StoreSettings settings, Clock clock, IntSupplier ticks, LongSupplier mapEpoch)
      throws IOException {
    Closeable lock = disk.lock();
    boolean done = false;
    try {
      Optional<DiskId> present = DiskIdentity.read(disk);
      DiskId id = present.isPresent() ? present.orElseThrow() : DiskIdentity.create(disk);
      Extents extents = new Extents(disk, settings.openExtentsMax());
      long cacheBytesMax = Math.min(disk.totalBytes(), settings.cache().bound());
      Log log = Log.open(disk, settings.log().forCacheOf(cacheBytesMax), extents::syncUnsynced);
      DiskStore store =
          new DiskStore(id, disk, lock, settings, log, extents, clock, ticks, mapEpoch);
      store.committer.start();
      done = true;
      return store;
    } finally {
      if (!done) {
        lock.close();
      }
    }
  }

  public DiskId id() {
    return id;
  }

  public Disk disk() {
    return disk;
  }

  public StoreSettings settings() {
    return settings;
  }

  /** The disk's health. */
  public DiskHealth health() {
    return health;
  }

  public Index index() {
    return index;
  }

  /** The log, for reading. */
  public Log log() {
    return log;
  }

  /** The extents, for reading. */
  public Extents extents() {
    return extents;
  }

  /** The units of cached objects. */
  public Units units() {
    return units;
  }

  /** What is cached on the disk, and how it is used. */
  public Residents residents() {
    return residents;
  }

  /** The cached objects whose bytes are in the log. */
  public CachedRecords cachedRecords() {
    return cachedRecords;
  }

  /** How much of the disk is free, promised and cached. */
  public Room room() {
    return room;
  }

  /** The room of what is cached. */
  public CacheRoom cacheRoom() {
    return cacheRoom;
  }

  /** One sentence for each damage that the start found. */
  public List<String> damageAtStart() {
    return damage;
  }

  /** Begins an extent; blocks. */
  public ExtentWriter createExtent() throws IOException {
    return extents.create();
  }

  /**
   * Room for primary bytes, which the caller closes; empty if they do not fit, as far as is known
   * without asking the file system. Never blocks.
   */
  public Optional<Room.Promise> promiseNow(long bytes) {
    Optional<Room.Promise> promise = room.promise(bytes);
    evictor.wakeIfShort();
    return promise;
  }

  /** Room for primary bytes, which the caller closes; blocks. */
  public Outcome<Room.Promise> promise(long bytes) throws IOException {
    Optional<Room.Promise> promise = promiseNow(bytes);
    if (promise.isEmpty()) {
      room.measure();
      promise = promiseNow(bytes);
    }
    health.observeRoom(room.primaryBytes());
    return promise.map(Outcome::success).orElseGet(() -> Outcome.failed(outOfSpace()));
  }

  /** The failure of bytes that do not fit. */
  public Failure outOfSpace() {
    return new Failure.OutOfSpace("disk " + disk.description() + " has no room");
  }

  /** Evicts what is cached, if need be, before so many promised bytes are written; blocks. */
  public void makeRoom(long bytes) {
    evictor.makeRoom(bytes);
  }

  /**
   * Commits a change. The stage completes on the committing thread: its dependents must be short
   * and must not wait for another commit.
   */
  public <T> CompletionStage<CommitResult<T>> commit(Change<T> change, Durability durability) {
    return commit(change, durability, 0);
  }

  /**
   * Commits a change that holds memory until it ends. The change fails as overloaded if the waiting
   * changes hold too much memory.
   *
   * @param bytes of memory that the change holds
   */
  public <T> CompletionStage<CommitResult<T>> commit(
      Change<T> change, Durability durability, long bytes) {
    return committer.submit(change, durability, bytes);
  }

  /** A step of a call that reads this disk. */
  @FunctionalInterface
  public interface Step<T> {
    /** Runs it on the calling thread. */
    Outcome<T> run() throws IOException;
  }

  /** Runs a step on the calling thread; turns an error of the disk or a defect into a failure. */
  public <T> Outcome<T> attempt(Step<T> step) {
    try {
      return step.run();
    } catch (IOException e) {
      return Outcome.failed(health.failureOf(e));
    } catch (RuntimeException e) {
      return Outcome.failed(new Failure.Bug(Incidents.log("A call failed", e)));
    }
  }

  /** Asks the file system how much of the disk is free. */
  public void measure() throws IOException {
    room.measure();
    health.observeRoom(room.primaryBytes());
  }

  /** Records written since the start. */
  public long commits() {
    return committer.records();
  }

  /** Batches of records written since the start. */
  public long commitBatches() {
    return committer.batches();
  }

  /** The cached bytes that have left since the start. */
  public LeftBytes left() {
    return residents.leftBytes();
  }

  /**
   * Commits what waits, makes everything durable, and closes the files. If the disk is out of
   * service, nothing more is made durable; the next start with the disk replays its log.
   */
  @Override
  public void close() throws IOException {
    committer.close();
    try (lock) {
      letGo();
    }
  }

  private void letGo() throws IOException {
    evictor.close();
    try {
      if (health.outOfService().isEmpty()) {
        evictor.keepUse();
        log.sync();
        index.checkpoint(true);
      }
    } finally {
      log.close();
      extents.close();
      units.close();
      index.close();
    }
  }
}
