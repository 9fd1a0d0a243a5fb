package dev.tarn.targetnode.store;

import dev.tarn.cluster.target.Failure;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.index.Index;
import dev.tarn.targetnode.store.index.IndexException;
import dev.tarn.targetnode.store.index.IndexTransaction;
import dev.tarn.targetnode.store.index.IndexedPosition;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.LogBatch;
import dev.tarn.targetnode.store.room.CachedRecords;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that changes a disk's state.
 *
 * <p>It takes all waiting changes as one batch. Each change decides on the state that the changes
 * before it left. The thread writes all records of the batch with one write, and syncs once if a
 * change asked for that. It then makes the batch visible in the index in one step, and answers.
 *
 * <p>Many writers therefore share one sync. Callers never block (most are event loops). A
 * precondition and its commit are one step without locks. Nothing is visible before it is as
 * durable as requested: if the write or the sync fails, the whole batch fails and never reaches the
 * index.
 */
final class Committer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final String TOO_LARGE = "The metadata is too large to be stored.";
  private static final int BATCH_CHANGES_MAX = 1024;
  private static final long PENDING_BYTES_MAX = 64L << 20;
  private static final int RELEASED_EXTENTS_MAX = 256;
  private static final long CHECKPOINT_BYTES = 32L << 20;

  /** The limit on bytes in unsynced extents, all of which a start must read to verify them. */
  private static final long UNSYNCED_BYTES_MAX = 256L << 20;

  private final String name;
  private final Log log;
  private final Index index;
  private final Extents extents;
  private final DiskHealth health;
  private final VersionClock clock;
  private final CachedRecords cachedRecords;
  private final StoreSettings settings;
  private final Pending<Boolean> stop =
      new Pending<>(view -> new Decision.Nothing<>(true), Durability.SYSTEM);
  private final BlockingQueue<Pending<?>> queue;
  private final Deque<Pending<?>> waiting = new ArrayDeque<>();
  private final Deque<Released> released = new ArrayDeque<>();
  private final AtomicLong pendingBytes = new AtomicLong();
  private final LongAdder batches = new LongAdder();
  private final LongAdder records = new LongAdder();
  private final Thread thread;
  private int recordsSinceCheckpoint;
  private long bytesSinceCheckpoint;
  private boolean indexFull;

  /** An extent that no record after this sequence names. */
  private record Released(long extent, long sequence) {}

  Committer(
      String name,
      Log log,
      Index index,
      Extents extents,
      DiskHealth health,
      VersionClock clock,
      CachedRecords cachedRecords,
      StoreSettings settings) {
    this.name = name;
    this.log = log;
    this.index = index;
    this.extents = extents;
    this.health = health;
    this.clock = clock;
    this.cachedRecords = cachedRecords;
    this.settings = settings;
    this.queue = new LinkedBlockingQueue<>(settings.pendingCommitsMax());
    this.thread = Thread.ofPlatform().name("tarn-commit-" + name).daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /**
   * Submits a change. The stage completes on the committing thread: its dependents must be short
   * and must not wait.
   *
   * @param bytes of memory that the change holds until it ends
   */
  <T> CompletionStage<CommitResult<T>> submit(Change<T> change, Durability durability, long bytes) {
    Pending<T> pending = new Pending<>(change, durability);
    var refusal = health.refusal();
    if (refusal.isPresent()) {
      pending.fail(refusal.orElseThrow(), false);
    } else if (!hasRoomFor(pending, bytes) || !queue.offer(pending)) {
      pending.fail(
          new Failure.Overloaded("disk " + name + " has too many commits waiting, or too large"),
          false);
    }
    return pending.result();
  }

  /** Counts the bytes as pending until the commit ends; false if there are too many. */
  private boolean hasRoomFor(Pending<?> pending, long bytes) {
    if (bytes == 0) {
      return true;
    }
    if (pendingBytes.addAndGet(bytes) > PENDING_BYTES_MAX) {
      pendingBytes.addAndGet(-bytes);
      return false;
    }
    pending.whenEnded(() -> pendingBytes.addAndGet(-bytes));
    return true;
  }

  /** The number of batches since the start. */
  long batches() {
    return batches.sum();
  }

  /** The number of records since the start. */
  long records() {
    return records.sum();
  }

  private void run() {
    boolean stopping = false;
    while (!stopping || !waiting.isEmpty()) {
      try {
        if (waiting.isEmpty()) {
          waiting.add(queue.take());
        }
        queue.drainTo(waiting, BATCH_CHANGES_MAX - waiting.size());
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody may interrupt the committing thread", e);
      }
      stopping |= waiting.removeIf(pending -> pending == stop);
      commit();
    }
  }

  private void commit() {
    List<Pending<?>> batch = new ArrayList<>(waiting.size());
    var refusal = health.refusal();
    if (refusal.isPresent()) {
      fail(batch, refusal.orElseThrow(), false);
      return;
    }
    boolean written = false;
    try (IndexTransaction transaction = index.begin()) {
      awaitRoomOfIndex();
      EntryApplier applier = new EntryApplier(transaction);
      LogBatch bytes = log.beginBatch(clock.lastMs());
      decideAll(batch, transaction, applier, bytes);
      written = !bytes.isEmpty();
      if (written) {
        log.write(bytes);
      }
      if (batch.stream().anyMatch(pending -> pending.durability() != Durability.SYSTEM)
          || extents.unsyncedBytes() >= UNSYNCED_BYTES_MAX) {
        log.sync();
      }
      makeVisible(transaction, applier);
      checkpointIfDue(batch.stream().anyMatch(Pending::wantsCheckpoint));
      batches.increment();
      batch.forEach(Pending::answer);
    } catch (IOException e) {
      if (log.hasLostVisible()) {
        health.takeOut(
            "disk " + name + ": a sync of records that were visible failed; a start reads the log");
      }
      boolean inDoubt = written && !log.undone();
      Failure failure = health.failureOf(e);
      fail(batch, inDoubt ? unknown(failure) : failure, inDoubt);
    } catch (Throwable e) { // The callers would never get an answer.
      health.takeOut("disk " + name + ": committing failed by a fault of the program");
      String incident = Incidents.log("A commit on disk " + name + " failed", e);
      batch.addAll(waiting);
      waiting.clear();
      fail(batch, new Failure.Bug(incident), written);
    }
  }

  /** The failure of changes that may be made by the next start: a full disk denies that. */
  private static Failure unknown(Failure failure) {
    return failure instanceof Failure.OutOfSpace full
        ? new Failure.Unavailable(full.message() + "; the change may have been made")
        : failure;
  }

  private void decideAll(
      List<Pending<?>> batch, IndexTransaction transaction, EntryApplier applier, LogBatch bytes)
      throws IOException {
    while (!waiting.isEmpty()) {
      Pending<?> pending = waiting.remove();
      batch.add(pending);
      if (!decide(pending, transaction, applier, bytes)) {
        batch.removeLast();
        waiting.addFirst(pending);
        return;
      }
    }
  }

  /** Decides a change; false if its record does not fit into this batch. */
  private <T> boolean decide(
      Pending<T> pending, IndexTransaction transaction, EntryApplier applier, LogBatch bytes)
      throws IOException {
    Decision<T> decision = decision(pending, transaction);
    if (decision instanceof Decision.Forget<T> forget) {
      applier.forget(forget.entry());
    } else if (decision instanceof Decision.Write<T> write) {
      byte[] entry = write.encoded();
      if (!bytes.fits(entry.length, write.payload().remaining())) {
        if (!bytes.isEmpty()) {
          return false;
        }
        decision = new Decision.Refuse<>(new Failure.InvalidRequest(TOO_LARGE));
      } else {
        applier.apply(write.entry(), entry, bytes.add(entry, write.payload()));
        records.increment();
      }
    }
    pending.prepare(decision);
    return true;
  }

  /** The decision of a change. A change that throws is refused and does not fail the others. */
  private <T> Decision<T> decision(Pending<T> pending, IndexTransaction transaction)
      throws IOException {
    try {
      return pending.change().decide(new CommitView(transaction, clock));
    } catch (RuntimeException e) {
      String incident = Incidents.log("A change on disk " + name + " failed to decide", e);
      return new Decision.Refuse<>(new Failure.Bug(incident));
    }
  }

  private void makeVisible(IndexTransaction transaction, EntryApplier applier) throws IOException {
    Set<Long> unused = applier.releasedExtents();
    recordsSinceCheckpoint += transaction.changes();
    bytesSinceCheckpoint += transaction.sizeBytes();
    Map<Long, Long> live;
    try {
      live = transaction.commit(new IndexedPosition(log.tail(), clock.lastMs()));
    } catch (IOException e) {
      if (e instanceof IndexException reported && reported.isFull() && log.takeBack()) {
        indexFull = true;
        throw e;
      }
      health.takeOut("disk " + name + ": its index cannot be written, the log is ahead of it");
      throw e;
    }
    log.madeVisible();
    log.setLiveBytes(live);
    cachedRecords.follow(applier.cachedRecords());
    unused.forEach(extent -> released.add(new Released(extent, log.tail().sequence())));
    removeReleased();
  }

  /** Removes extents when a loss of power can no longer restore a record that names them. */
  private void removeReleased() {
    while (!released.isEmpty() && released.getFirst().sequence() <= log.durableSequence()) {
      extents.remove(released.removeFirst().extent());
    }
  }

  private void fail(List<Pending<?>> batch, Failure failure, boolean inDoubt) {
    if (batch.isEmpty()) {
      batch.addAll(waiting);
      waiting.clear();
    }
    batch.forEach(pending -> pending.fail(failure, inDoubt));
  }

  private void checkpointIfDue(boolean wanted) throws IOException {
    if (wanted
        || released.size() >= RELEASED_EXTENTS_MAX
        || recordsSinceCheckpoint >= settings.checkpointRecords()
        || bytesSinceCheckpoint >= CHECKPOINT_BYTES) {
      log.sync();
      removeReleased();
      recordsSinceCheckpoint = 0;
      bytesSinceCheckpoint = 0;
      checkpoint(wanted);
    }
  }

  /** An unwanted checkpoint may fail because the index is full: replay then takes longer. */
  private void checkpoint(boolean wanted) throws IOException {
    try {
      index.checkpoint(wanted);
    } catch (IndexException e) {
      if (wanted || !e.isFull()) {
        throw e;
      }
      indexFull = true;
      LOG.warn("The index of disk {} has no room; writes are refused until there is", name, e);
    }
  }

  /** Fails while the index is full, so that the log gets no record that the index cannot take. */
  private void awaitRoomOfIndex() throws IOException {
    if (indexFull) {
      index.probe();
      indexFull = false;
      LOG.info("The index of disk {} has room again; writes are accepted", name);
    }
  }

  /** Commits all waiting changes, then ends. */
  @Override
  public void close() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        queue.put(stop);
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
