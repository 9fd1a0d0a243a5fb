package dev.tarn.targetnode.store.space;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.residents.CacheShare;
import dev.tarn.targetnode.upkeep.Job;
import dev.tarn.targetnode.upkeep.Upkeep;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs that compact and sweep one disk. */
public final class Reclaimer {
  private static final Logger LOG = LoggerFactory.getLogger(Reclaimer.class);
  private static final Duration SOON = Duration.ofSeconds(1);

  /** The number of units that one step opens. */
  private static final int UNITS_PER_STEP = 64;

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  /** The folders over which extents and units are spread; a step sweeps one of them. */
  private static final int DIRECTORIES = 256;

  /** The greatest number of entries that one step removes. */
  private static final int REMOVED_ENTRIES_MAX = 16_384;

  /** A fetch that had begun before its bucket was deleted may have kept something since. */
  private static final int LOOKS_UNTIL_SWEPT_AGAIN = 30;

  /** No version of the control state. */
  private static final long NO_VERSION = -1;

  private final DiskStore store;
  private final String disk;
  private final Compactor compactor;
  private final Sweeper sweeper;
  private final Tombstones tombstones;
  private final DeletedBuckets deletedBuckets;
  private final UnitSweeper unitSweeper;
  private final LongSupplier stateVersion;
  private final Function<BucketId, CacheShare> shares;

  /** The state whose deleted buckets have left nothing. */
  private long sweptVersion = NO_VERSION;

  private int looksSinceSwept;
  private boolean segmentsRemoved = true;

  private Reclaimer(
      DiskStore store,
      Clock clock,
      Predicate<BucketId> isDeleted,
      LongSupplier stateVersion,
      Function<BucketId, CacheShare> shares) {
    this.store = store;
    this.disk = store.disk().description();
    this.deletedBuckets = new DeletedBuckets(store, isDeleted, REMOVED_ENTRIES_MAX);
    this.stateVersion = stateVersion;
    this.shares = shares;
    this.compactor = new Compactor(store);
    this.sweeper = new Sweeper(store, clock);
    this.tombstones = new Tombstones(store);
    this.unitSweeper = new UnitSweeper(store);
  }

  /**
   * Starts the jobs of a disk; the first sweep runs immediately.
   *
   * @param upkeep runs them, one at a time
   * @param isDeleted whether a bucket existed and was deleted
   * @param stateVersion the version of the control state by which {@code isDeleted} answers
   * @param shares what a bucket that is not deleted may have of the disk's cache
   */
  public static void start(
      Upkeep upkeep,
      DiskStore store,
      Clock clock,
      Predicate<BucketId> isDeleted,
      LongSupplier stateVersion,
      Function<BucketId, CacheShare> shares) {
    Function<BucketId, CacheShare> all =
        bucket -> isDeleted.test(bucket) ? CacheShare.NONE : shares.apply(bucket);
    new Reclaimer(store, clock, isDeleted, stateVersion, all).startJobs(upkeep);
  }

  private void startJobs(Upkeep upkeep) {
    upkeep.start(new DiskJob("shares of the cache", SOON, this::setShares), Duration.ZERO);
    upkeep.start(new DiskJob("sweep of extents", HOUR, new ExtentSweep()), Duration.ZERO);
    upkeep.start(new DiskJob("sweep of units", DAY, new UnitSweep()), Duration.ZERO);
    upkeep.start(new DiskJob("sweep of deleted buckets", SOON, this::sweepBuckets), Duration.ZERO);
    upkeep.start(new DiskJob("compaction", SOON, this::compact), SOON);
    upkeep.start(new DiskJob("removal of tombstones", HOUR, this::forgetTombstones), HOUR);
  }

  /** See {@link Job#step}. */
  private interface Step {
    boolean run() throws IOException;
  }

  /** A job of the disk, which does nothing while the disk is out of service. */
  private final class DiskJob implements Job {
    private final String what;
    private final Duration interval;
    private final Step step;

    DiskJob(String what, Duration interval, Step step) {
      this.what = what;
      this.interval = interval;
      this.step = step;
    }

    @Override
    public String name() {
      return what + " of " + disk;
    }

    @Override
    public Duration interval() {
      return interval;
    }

    @Override
    public boolean isSuspended() {
      return store.health().outOfService().isPresent();
    }

    @Override
    public boolean step() throws IOException {
      try {
        return step.run();
      } catch (IOException e) {
        store.health().failureOf(e);
        throw e;
      }
    }
  }

  private final class ExtentSweep implements Step {
    private int directory;
    private int extents;

    @Override
    public boolean run() throws IOException {
      if (directory < DIRECTORIES) {
        extents += sweeper.sweepExtents(directory);
        directory++;
        return true;
      }
      int uploads = sweeper.sweepUploads();
      if (extents + uploads > 0) {
        LOG.info(
            "Swept {}: {} extents that nothing names, {} uploads past their age",
            disk,
            extents,
            uploads);
      }
      directory = 0;
      extents = 0;
      // A read of a cached bucket may have cached bytes after its bucket was swept.
      sweptVersion = NO_VERSION;
      return false;
    }
  }

  private final class UnitSweep implements Step {
    private Iterator<Long> left = Collections.emptyIterator();
    private int directory;
    private int units;

    @Override
    public boolean run() throws IOException {
      for (int opened = 0; opened < UNITS_PER_STEP && left.hasNext(); opened++) {
        if (unitSweeper.isRemoved(left.next())) {
          units++;
        }
      }
      if (left.hasNext()) {
        return true;
      }
      if (directory < DIRECTORIES) {
        left = store.units().list(directory).iterator();
        directory++;
        return true;
      }
      if (units > 0) {
        LOG.info("Swept {}: {} units of objects that are not cached any more", disk, units);
      }
      directory = 0;
      units = 0;
      return false;
    }
  }

  /** Buckets begin to use the cache at any time. */
  private boolean setShares() {
    store.residents().setShares(shares);
    return false;
  }

  /** Sweeps what deleted buckets have left, when there is a newer control state. */
  private boolean sweepBuckets() throws IOException {
    long version = stateVersion.getAsLong();
    looksSinceSwept = version == sweptVersion ? looksSinceSwept + 1 : 0;
    if (looksSinceSwept > 0 && looksSinceSwept != LOOKS_UNTIL_SWEPT_AGAIN) {
      return false;
    }
    int removed = deletedBuckets.sweep();
    if (removed > 0) {
      LOG.info("Removed {} entries of deleted buckets from {}", removed, disk);
    }
    if (removed == REMOVED_ENTRIES_MAX) {
      return true;
    }
    sweptVersion = version;
    return false;
  }

  private boolean compact() throws IOException {
    boolean removed = compactor.compact(1) > 0;
    segmentsRemoved |= removed;
    return removed;
  }

  /**
   * Removing segments makes tombstones unnecessary. Finding those takes a walk of the whole index,
   * so this runs only if segments were removed.
   */
  private boolean forgetTombstones() throws IOException {
    if (segmentsRemoved) {
      tombstones.forget();
      segmentsRemoved = false;
    }
    return false;
  }
}
