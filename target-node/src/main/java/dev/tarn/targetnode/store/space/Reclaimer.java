package dev.tarn.targetnode.store.space;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.store.DiskStore;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compacts and sweeps one disk in the background, on threads of its own. */
@SuppressWarnings("FutureReturnValueIgnored") // A round handles its own exceptions.
public final class Reclaimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Reclaimer.class);
  private static final long COMPACT_EVERY_MS = 1000;
  private static final long FORGET_EVERY_MS = 3_600_000;
  private static final long SWEEP_EVERY_MS = 3_600_000;
  private static final long SWEEP_UNITS_EVERY_MS = 24 * 3_600_000;

  /** The greatest number of entries that are removed before compaction gets its turn. */
  private static final int REMOVED_ENTRIES_MAX = 16_384;

  /** No version of the control state. */
  private static final long NO_VERSION = -1;

  private final DiskStore store;
  private final Compactor compactor;
  private final Sweeper sweeper;
  private final Tombstones tombstones;
  private final DeletedBuckets deletedBuckets;
  private final LongSupplier stateVersion;

  /** The state whose deleted buckets have left nothing. */
  private long sweptVersion = NO_VERSION;

  private boolean segmentsRemoved = true;
  private volatile boolean closing;
  private final UnitSweeper unitSweeper;
  private final ScheduledExecutorService thread;
  private final ScheduledExecutorService unitThread;

  /**
   * Starts the rounds; the first sweep runs immediately.
   *
   * @param isDeleted whether a bucket existed and was deleted
   * @param stateVersion the version of the control state by which {@code isDeleted} answers
   */
  public Reclaimer(
      DiskStore store, Clock clock, Predicate<BucketId> isDeleted, LongSupplier stateVersion) {
    this.store = store;
    this.deletedBuckets = new DeletedBuckets(store, isDeleted, REMOVED_ENTRIES_MAX);
    this.stateVersion = stateVersion;
    this.compactor = new Compactor(store);
    this.sweeper = new Sweeper(store, clock);
    this.tombstones = new Tombstones(store);
    this.unitSweeper = new UnitSweeper(store, () -> closing);
    this.thread = thread("tarn-space-" + store.id());
    this.unitThread = thread("tarn-units-" + store.id());
    unitThread.scheduleWithFixedDelay(
        this::sweepUnits, 0, SWEEP_UNITS_EVERY_MS, TimeUnit.MILLISECONDS);
    thread.scheduleWithFixedDelay(this::sweep, 0, SWEEP_EVERY_MS, TimeUnit.MILLISECONDS);
    thread.scheduleWithFixedDelay(
        this::compact, COMPACT_EVERY_MS, COMPACT_EVERY_MS, TimeUnit.MILLISECONDS);
    thread.scheduleWithFixedDelay(this::sweepBuckets, 0, COMPACT_EVERY_MS, TimeUnit.MILLISECONDS);
    thread.scheduleWithFixedDelay(
        this::forgetTombstones, FORGET_EVERY_MS, FORGET_EVERY_MS, TimeUnit.MILLISECONDS);
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().name(name).daemon().factory());
  }

  private void sweepUnits() {
    attempt(() -> {
      int removed = unitSweeper.sweep();
      if (removed > 0) {
        LOG.info(
            "Swept {}: {} units of objects that are not cached any more",
            store.disk().description(),
            removed);
      }
    });
  }

  private void sweep() {
    sweptVersion = NO_VERSION;
    attempt(() -> {
      Sweeper.Swept swept = sweeper.sweep();
      if (swept.extents() + swept.uploads() > 0) {
        LOG.info(
            "Swept {}: {} extents that nothing names, {} uploads past their age",
            store.disk().description(),
            swept.extents(),
            swept.uploads());
      }
    });
  }

  /**
   * Sweeps what deleted buckets have left: when there is a newer control state, and with each
   * sweep, since a read of a cached bucket may have cached bytes after its bucket was swept.
   */
  private void sweepBuckets() {
    long version = stateVersion.getAsLong();
    if (version == sweptVersion) {
      return;
    }
    attempt(() -> {
      int removed = deletedBuckets.sweep();
      if (removed < REMOVED_ENTRIES_MAX) {
        sweptVersion = version;
      }
      if (removed > 0) {
        LOG.info(
            "Removed {} entries of deleted buckets from {}", removed, store.disk().description());
      }
    });
  }

  private void compact() {
    attempt(() -> segmentsRemoved |= compactor.compact() > 0);
  }

  /**
   * Removing segments makes tombstones unnecessary. Finding those takes a walk of the whole index,
   * so this runs only if segments were removed.
   */
  private void forgetTombstones() {
    if (segmentsRemoved) {
      attempt(() -> {
        tombstones.forget();
        segmentsRemoved = false;
      });
    }
  }

  /** One round of compaction, sweeping or tombstone removal. */
  @FunctionalInterface
  private interface Round {
    void run() throws IOException;
  }

  private void attempt(Round round) {
    if (store.health().outOfService().isPresent()) {
      return;
    }
    try {
      round.run();
    } catch (IOException | RuntimeException e) {
      if (e instanceof IOException failed) {
        store.health().failureOf(failed);
      }
      LOG.warn(
          "Room on {} could not be reclaimed; the next round tries again",
          store.disk().description(),
          e);
    }
  }

  /** Ends after the present round. */
  @Override
  public void close() {
    closing = true;
    thread.shutdown();
    unitThread.shutdown();
    try {
      while (!thread.awaitTermination(1, TimeUnit.MINUTES)
          || !unitThread.awaitTermination(1, TimeUnit.MINUTES)) {
        LOG.info("Waiting for the space reclaimer of {}", store.disk().description());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
