package dev.tarn.targetnode.store.room;

import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.residents.Residents;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of a disk is free, promised, cached, and on its way out. The file system is asked from
 * time to time; in between, what Tarn writes and removes is added up. All but {@link #measure} is
 * arithmetic and may run on an event loop.
 *
 * <p>Primary bytes may take the room of cached ones, which an evictor removes. Cached bytes may
 * take neither promised room nor the headroom that waits for primary bytes.
 */
public final class Room {
  /** More than any disk has; sums of some of these do not overflow. */
  private static final long BYTES_MAX = 1L << 60;

  private final Disk disk;
  private final Units units;
  private final Residents residents;
  private final CachedRecords cachedRecords;
  private final long reserveBytes;
  private final long cacheBytesMax;
  private final Watermarks watermarks;

  /** All bytes that were written under promises since the start. */
  private final AtomicLong taken = new AtomicLong();

  private final AtomicLong promised = new AtomicLong();
  private final AtomicLong filling = new AtomicLong();
  private final AtomicLong displacing = new AtomicLong();
  private volatile Measure measured;

  /** The space that the file system reported, and the bytes taken and freed until then. */
  private record Measure(long usableBytes, long totalBytes, long taken, long freed) {}

  /** The bytes that units and removed segments gave back since the start. */
  private long freed() {
    return units.freedBytes() + cachedRecords.freedBytes();
  }

  /**
   * The room of a disk; blocks.
   *
   * @param reserveBytes that must stay free
   * @param cacheBytesMax the most that cached bytes may take
   */
  public Room(
      Disk disk,
      Units units,
      Residents residents,
      CachedRecords cachedRecords,
      long reserveBytes,
      long cacheBytesMax,
      Watermarks watermarks)
      throws IOException {
    this.disk = disk;
    this.units = units;
    this.residents = residents;
    this.cachedRecords = cachedRecords;
    this.reserveBytes = Math.min(reserveBytes, BYTES_MAX);
    this.cacheBytesMax = cacheBytesMax;
    this.watermarks = watermarks;
    this.measured = read();
  }

  private Measure read() throws IOException {
    long takenBefore = taken.get();
    long freedBefore = freed();
    return new Measure(
        Math.min(disk.usableBytes(), BYTES_MAX),
        Math.min(disk.totalBytes(), BYTES_MAX),
        takenBefore,
        freedBefore);
  }

  /** Asks the file system; blocks briefly. */
  public void measure() throws IOException {
    measured = read();
    cachedRecords.measure();
  }

  /** The size of the disk. */
  public long totalBytes() {
    return measured.totalBytes();
  }

  /** The bytes that are free, the reserve included. */
  private long unusedBytes() {
    Measure last = measured;
    return last.usableBytes() - (taken.get() - last.taken()) + (freed() - last.freed());
  }

  /** The bytes that are free beyond the reserve; negative if the reserve has been used. */
  public long freeBytes() {
    return unusedBytes() - reserveBytes;
  }

  /** The cached bytes that may be removed. */
  public long evictableBytes() {
    return residents.bytes() + displacing.get();
  }

  /** The bytes that the disk has, or would have if nothing were cached, beyond the reserve. */
  private long freeWithoutCache() {
    return freeBytes() + cachedBytes();
  }

  /** The bytes that cached objects take, also those that wait for compaction. */
  public long cachedBytes() {
    return evictableBytes() + cachedRecords.forgettableBytes();
  }

  /** The bytes that writes under way have been promised and have not written yet. */
  public long promisedBytes() {
    return promised.get() + filling.get();
  }

  /** The bytes of removed units that readers still use, and those that compaction frees. */
  public long leavingBytes() {
    return units.leavingBytes() + cachedRecords.leavingBytes();
  }

  /** The bytes that can be promised to primary writes now; not positive if the disk is full. */
  public long primaryBytes() {
    return freeWithoutCache() - promised.get() - filling.get();
  }

  /** The bytes kept free beyond the reserve, so that primary writes need not wait for evictions. */
  public long headroomBytes() {
    return watermarks.freeMin(totalBytes());
  }

  /** How many bytes must be removed to keep the headroom; those that are leaving count as free. */
  long missingHeadroom() {
    return headroomBytes() - freeBytes() - leavingBytes();
  }

  /** How many bytes must be removed until eviction, once it has begun, ends. */
  long missingUntilLow() {
    return watermarks.freeAgain(totalBytes()) - freeBytes() - leavingBytes();
  }

  /**
   * Whether primary bytes need the room of what waits for compaction, because nothing else is left
   * to leave.
   */
  public boolean needsWaitingBytes() {
    return residents.count() == 0 && missingHeadroom() > 0;
  }

  /** The bytes that can be written to the cache now, the headroom included. */
  long writableBytes() {
    return freeBytes() - promised.get() - filling.get();
  }

  /** The cached bytes that can be added without removing others. */
  long cacheRoomBytes() {
    long onDisk = freeBytes() - headroomBytes() - promised.get() - filling.get();
    return Math.min(onDisk, cacheBytesMax - evictableBytes() - filling.get());
  }

  /** Promises room to primary bytes; empty if they do not fit, even without the cache. */
  public Optional<Promise> promise(long bytes) {
    Promise promise = new Promise(promised);
    return promise.extend(bytes) ? Optional.of(promise) : Optional.empty();
  }

  /** Room for a unit that displaces others, or that has room without that. */
  Promise promiseToCache(long bytes) {
    Promise promise = new Promise(filling);
    promise.add(bytes);
    return promise;
  }

  /** Bytes of units that were taken out of the table, and are not removed yet. */
  void displacing(long bytes) {
    displacing.addAndGet(bytes);
  }

  /** Room for a write under way. Safe for use by many threads. */
  public final class Promise implements AutoCloseable {
    private final AtomicLong all;
    private final AtomicLong left = new AtomicLong();

    private Promise(AtomicLong all) {
      this.all = all;
    }

    /** Asks for more room; false if there is none. */
    public boolean extend(long bytes) {
      long others = all.get();
      while (freeWithoutCache() - others - filling.get() >= bytes) {
        if (all.compareAndSet(others, others + bytes)) {
          left.addAndGet(bytes);
          return true;
        }
        others = all.get();
      }
      return false;
    }

    private void add(long bytes) {
      all.addAndGet(bytes);
      left.addAndGet(bytes);
    }

    /** So many bytes have been written. */
    public void written(long bytes) {
      long kept = left.getAndUpdate(before -> Math.max(0, before - bytes));
      taken.addAndGet(bytes);
      all.addAndGet(-Math.min(kept, bytes));
    }

    /** The write has ended: gives back the rest. */
    @Override
    public void close() {
      all.addAndGet(-left.getAndSet(0));
    }
  }
}
