package dev.tarn.targetnode.store.room;

import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.residents.Leaving;
import dev.tarn.targetnode.store.residents.Resident;
import dev.tarn.targetnode.store.residents.Residents;
import dev.tarn.targetnode.store.residents.ResidentsFile;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what is cached and of least value when room is needed: units at once, small objects by
 * compaction. Its thread keeps the headroom; a writer that is faster evicts by itself.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A round handles its own exceptions.
public final class Evictor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Evictor.class);
  private static final long MEASURE_EVERY_MS = 1000;
  private static final int ROUNDS_UNTIL_RETRY = 60;
  private static final int ROUNDS_UNTIL_WRITTEN = 300;

  /** After so many entries that could not be removed, an attempt to make room ends. */
  private static final int FAILURES_MAX = 8;

  /** With so many entries that could not be removed, no other is tried. */
  private static final int STUCK_MAX = 1024;

  /** The batches that leave because of shares before the room is measured again. */
  private static final int EXCESS_PER_ROUND = 8;

  /** A writer waits for so many segments at most. */
  private static final int AWAITED_SEGMENTS_MAX = 10;

  private final String disk;
  private final Room room;
  private final Units units;
  private final Residents residents;
  private final CachedRecords cachedRecords;
  private final ResidentsFile file;
  private final BooleanSupplier isInService;
  private final Queue<Resident> stuck = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final ScheduledExecutorService thread;
  private int rounds;

  /**
   * Reads how the cached entries of a disk were used, and starts the thread; blocks.
   *
   * @param isInService the thread does nothing while it is false
   */
  public Evictor(
      Disk of,
      Room room,
      Units units,
      Residents residents,
      CachedRecords cachedRecords,
      BooleanSupplier isInService) {
    this.disk = of.description();
    this.isInService = isInService;
    this.file = new ResidentsFile(of);
    this.room = room;
    this.units = units;
    this.residents = residents;
    this.cachedRecords = cachedRecords;
    readUse();
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tarn-evict").daemon().factory());
    thread.scheduleWithFixedDelay(
        this::round, MEASURE_EVERY_MS, MEASURE_EVERY_MS, TimeUnit.MILLISECONDS);
  }

  private void readUse() {
    try {
      if (residents.count() > 0 && !file.read(residents)) {
        LOG.info("How what is cached on {} was used is not known; it is learned anew", disk);
      }
    } catch (IOException e) {
      LOG.warn("How what is cached on {} was used cannot be read; it is learned anew", disk, e);
    }
  }

  private void round() {
    if (!isInService.getAsBoolean()) {
      return;
    }
    try {
      room.measure();
      rounds++;
      if (rounds % ROUNDS_UNTIL_RETRY == 0) {
        retry();
      }
      keepHeadroom();
      keepShares();
      if (rounds % ROUNDS_UNTIL_WRITTEN == 0) {
        keepUse();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Room of {} could not be kept; the next round tries again", disk, e);
    }
  }

  /** Units that could not be removed may leave again. */
  private void retry() {
    Queue<Resident> again = new ArrayDeque<>();
    for (Resident next = stuck.poll(); next != null; next = stuck.poll()) {
      again.add(next);
    }
    again.forEach(residents::putBack);
  }

  /** Looks for the headroom soon if some of it was used; never blocks. */
  public void wakeIfShort() {
    if (room.missingHeadroom() <= 0 || !woken.compareAndSet(false, true)) {
      return;
    }
    try {
      thread.execute(() -> {
        woken.set(false);
        keepHeadroom();
      });
    } catch (RejectedExecutionException e) {
      LOG.debug("The store of {} is being closed", disk, e);
    }
  }

  /** Removes what buckets have beyond their shares. */
  private void keepShares() {
    for (int i = 0; i < EXCESS_PER_ROUND && stuck.size() < STUCK_MAX; i++) {
      List<Resident> excess = residents.takeExcess();
      if (excess.isEmpty()) {
        return;
      }
      excess.forEach(victim -> isEvicted(victim, Leaving.FOR_SHARES));
      keepHeadroom();
    }
  }

  private void keepHeadroom() {
    if (room.missingHeadroom() > 0) {
      evictWhile(() -> isInService.getAsBoolean() && room.missingUntilLow() > 0);
    }
  }

  /**
   * Makes room for primary bytes that are about to be written, if cached ones can leave; blocks.
   */
  public void makeRoom(long bytes) {
    try {
      for (int i = 0; i < AWAITED_SEGMENTS_MAX; i++) {
        evictWhile(() -> room.freeBytes() + cachedRecords.leavingBytes() < bytes);
        wakeIfShort();
        if (room.freeBytes() >= bytes || cachedRecords.leavingBytes() == 0) {
          return;
        }
        cachedRecords.awaitRemovedSegment();
        room.measure(); // What was about to be freed may not be.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.debug("The room of {} could not be measured", disk, e);
    }
  }

  /** Evicts what is of least value. If many cannot be removed, the others stay for a while. */
  private void evictWhile(BooleanSupplier isShort) {
    int failures = 0;
    while (isShort.getAsBoolean() && failures < FAILURES_MAX && stuck.size() < STUCK_MAX) {
      Optional<Resident> least = residents.takeLeast();
      if (least.isEmpty()) {
        return;
      }
      failures += isEvicted(least.orElseThrow(), Leaving.FOR_ROOM) ? 0 : 1;
    }
  }

  /** Removes pages that nobody has asked for lately, for others; blocks. Returns their bytes. */
  long trim(long bytes) {
    return units.sparse().trim(bytes);
  }

  /** Removes a unit that was taken out of the table for a better one; blocks. */
  void displace(Resident victim) {
    isEvicted(victim, Leaving.FOR_BETTER);
  }

  /** Removes a resident. One that cannot be removed is left alone for a while. */
  private boolean isEvicted(Resident victim, Leaving why) {
    try {
      if (!victim.isInLog()) {
        units.evict(victim.id(), victim.bytes());
      }
    } catch (IOException e) {
      if (stuck.isEmpty()) {
        LOG.warn("Cached units on {} cannot be evicted; retried within a minute", disk, e);
      }
      stuck.add(victim);
      return false;
    }
    residents.left(victim, why);
    return true;
  }

  /** Keeps how the entries were used for the next process; blocks. */
  public void keepUse() {
    try {
      if (residents.count() > 0) {
        file.write(residents);
      }
    } catch (IOException e) {
      LOG.warn("How what is cached on {} was used could not be kept", disk, e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(30, TimeUnit.SECONDS)) {
        LOG.warn("Eviction on {} is still in progress after 30 s", disk);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
