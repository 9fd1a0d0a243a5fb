package dev.tarn.client.internal.prefetch;

import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Fetches shards part by part, in order, ahead of the thread that takes the parts.
 *
 * <p>Each fetching thread claims the next part, which gives it a place in the queue and bytes of
 * the budget, and then fetches it. Claims are made in the order of consumption under one lock. So
 * the budget always goes to the earliest part without it, and later parts never keep the consumer
 * waiting for an earlier one.
 *
 * <p>If the consumer itself holds the whole budget and needs the next part (of a sample or block
 * larger than the budget), that one part exceeds the budget. A lookahead thread waits instead until
 * the consumer releases memory, unless the consumer waits for it.
 *
 * <p>A part that cannot be fetched ends the fetching, unless failures are tolerated. Then the
 * consumer receives the failure in the part's place, and the rest of its extent is skipped.
 */
public final class Prefetch implements AutoCloseable {
  /** The budget does not bound the number of parts, since parts may be short or empty. */
  private static final int QUEUE_LENGTH_MAX = 4096;

  private final Storage storage;
  private final PrefetchLimits limits;
  private final boolean tolerates;
  private final boolean hasLookahead;
  private final OpenStreams streams = new OpenStreams();
  private final EpochThreads threads = new EpochThreads();
  private final Fetchers fetchers;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition claimable = lock.newCondition();
  private final Condition arrived = lock.newCondition();
  private final FetchPlan plan;
  private final Deque<FetchTask> queue = new ArrayDeque<>();
  private final SpareBuffers spare;
  private final WaitClock waits = new WaitClock();
  private long used;

  /** The bytes of parts in the queue, which are part of {@code used}. */
  private long queued;

  private final long queuedMax;

  /** Whether the thread that takes parts waits for the consumer to release memory. */
  private boolean waitsForRoom;

  /** The part that was taken last. */
  private @Nullable FetchTask taken;

  /** The number of the extent that the consumer reads. */
  private long reached;

  private boolean waiting;
  private boolean failed;

  /** The failure that prevents further claims; null if there is none. */
  private @Nullable Throwable broken;

  private boolean closed;

  /**
   * Starts to fetch.
   *
   * @param storage of this epoch, closed together with this
   * @param extents in the order of consumption; any thread may advance the iterator
   * @param indexes of the shards
   */
  public Prefetch(
      Storage storage,
      Iterator<Extent> extents,
      IndexStore indexes,
      FetchOptions options,
      PrefetchLimits limits) {
    this.storage = storage;
    this.limits = limits;
    this.spare = new SpareBuffers(limits.chunkBytes());
    this.tolerates = options.tolerates();
    this.hasLookahead = options.hasLookahead();
    this.waitsForRoom = hasLookahead;
    this.queuedMax = hasLookahead ? limits.queuedBytesMax() : Long.MAX_VALUE;
    this.plan = new FetchPlan(extents, indexes, options, limits.chunkBytes(), storage, streams);
    this.fetchers = new Fetchers(threads, this::fetchAll, limits.connections(), System::nanoTime);
    boolean started = false;
    try {
      fetchers.start(options.areOfFiles());
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /**
   * Takes the next part, with one holder; waits for it.
   *
   * @return null after the last shard's last part
   * @throws FetchException if the part could not be fetched
   * @throws IllegalStateException if the next part could not be determined
   */
  public @Nullable Chunk take() throws IOException {
    lock.lock();
    try {
      if (taken != null && taken.isLast()) {
        moveBehind(taken);
      }
      while (true) {
        if (closed) {
          throw new IOException("the iterator is closed");
        }
        FetchTask first = queue.peek();
        if (first != null && first.isDone()) {
          queue.remove();
          queued -= first.memoryBytes();
          if (queue.size() == QUEUE_LENGTH_MAX - 1 || queuedMax < Long.MAX_VALUE) {
            claimable.signalAll();
          }
          taken = first;
          fetchers.taken(waits.nanos());
          return first.chunk();
        }
        if (first == null && broken != null) {
          throw new IllegalStateException("the next fetches cannot be planned", broken);
        }
        if (first == null && plan.isEnded()) {
          return null;
        }
        waiting = true;
        claimable.signalAll();
        waits.begin();
        arrived.await();
        waits.end();
      }
    } catch (InterruptedException e) {
      waits.end();
      throw Threads.interrupted(e);
    } finally {
      waiting = false;
      lock.unlock();
    }
  }

  /** Records that the consumer has finished an extent, which allows to fetch further ones. */
  private void moveBehind(FetchTask task) {
    if (reached <= task.extentNumber()) {
      reached = task.extentNumber() + 1;
      if (limits.depth() < PrefetchLimits.UNBOUNDED_DEPTH) {
        claimable.signalAll();
      }
    }
  }

  /** Whether it was closed. */
  public boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Skips the rest of the extent whose part was taken last. */
  public void abandon() {
    lock.lock();
    try {
      FetchTask last = taken;
      if (last == null) {
        return;
      }
      ShardFetch fetch = last.shard();
      plan.skip(fetch);
      queue.removeIf(task -> {
        boolean isOfIt = task.shard() == fetch;
        if (isOfIt) {
          queued -= task.memoryBytes();
          task.abandon();
        }
        return isOfIt;
      });
      moveBehind(last);
      claimable.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Declares whether the consumer waits for the lookahead thread, and so releases nothing. */
  public void consumerWaits(boolean waits) {
    lock.lock();
    try {
      waitsForRoom = !waits;
      claimable.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether a lookahead thread takes the parts. */
  public boolean hasLookahead() {
    return hasLookahead;
  }

  /** How many bytes exceed the budget. */
  public long excessBytes() {
    return Math.max(0, usedBytes() - limits.budgetBytes());
  }

  /**
   * Waits until the budget has room for bytes to be copied out of parts, and counts them.
   *
   * @throws IOException if this is closed, or the thread interrupted
   */
  public void reserve(long bytes) throws IOException {
    lock.lock();
    try {
      while (waitsForRoom && !closed && used + bytes > limits.budgetBytes()) {
        claimable.await();
      }
      if (closed) {
        throw new IOException("the iterator is closed");
      }
      count(bytes);
    } catch (InterruptedException e) {
      throw Threads.interrupted(e);
    } finally {
      lock.unlock();
    }
  }

  /** Counts bytes that were copied out of parts; negative when they are released. */
  public void account(long bytes) {
    lock.lock();
    try {
      count(bytes);
      claimable.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void count(long bytes) {
    used += bytes;
    spare.trim(limits.budgetBytes() - used);
  }

  /** The bytes that count against the budget now. */
  public long usedBytes() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  /** The bytes that count against the budget, and those of buffers kept for reuse. */
  long heldBytes() {
    return usedBytes() + spare.bytes();
  }

  /** How long {@link #take} has waited for bytes so far. */
  public long waitedNanos() {
    return waits.nanos();
  }

  /** How many parts are fetched or being fetched, and not yet taken. */
  public int queuedParts() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  /** The maximal length of a part, in bytes. */
  public int chunkBytes() {
    return limits.chunkBytes();
  }

  /**
   * Starts a thread, which may take parts instead of the consumer. The close interrupts it, even if
   * it came before.
   */
  public void start(String name, Runnable work) {
    threads.start(name, work);
  }

  void free(ByteBuffer buffer) {
    lock.lock();
    try {
      letGo(buffer);
      count(-buffer.capacity());
      claimable.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void letGo(ByteBuffer buffer) {
    spare.put(buffer);
    if (plan.isEnded() || closed) {
      spare.clear();
    }
  }

  /** Stops fetching, cuts connections, ends the threads and closes the epoch's storage. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      queue.forEach(FetchTask::abandon);
      queue.clear();
      spare.clear();
      claimable.signalAll();
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    streams.closeAll();
    threads.end();
    storage.close();
  }

  private void fetchAll() {
    try {
      while (true) {
        FetchTask task = claim();
        if (task == null) {
          return;
        }
        fetch(task);
      }
    } catch (InterruptedException e) {
      // Only the close interrupts these threads.
      Thread.currentThread().interrupt();
    }
  }

  /** The next part to fetch, with its bytes counted; null when nothing remains. */
  private @Nullable FetchTask claim() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed && !failed && !plan.isEnded()) {
        Throwable failure = plan.openFailure();
        boolean isNext = mayBeClaimed();
        if (isNext && failure != null) {
          FetchTask task = plan.next();
          add(task);
          fail(task, failure);
        } else if (isNext && plan.isSized() && fits(plan.nextMemoryBytes())) {
          FetchTask task = plan.next();
          used += task.memoryBytes();
          // The part takes one of the spare buffers, which then does not count twice.
          spare.trim(
              limits.budgetBytes()
                  - used
                  + (task.memoryBytes() == limits.chunkBytes() ? task.memoryBytes() : 0));
          add(task);
          return task;
        } else {
          ShardFetch fetch = plan.toOpen(reached + limits.depth());
          if (fetch == null) {
            claimable.await();
          } else {
            open(fetch);
          }
        }
      }
      return null;
    } catch (RuntimeException | Error e) {
      broken = e;
      failed = true;
      arrived.signalAll();
      claimable.signalAll();
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Opens an extent without the lock, so that several threads open extents at once. */
  private void open(ShardFetch fetch) {
    fetch.beginOpening();
    int firstLength = plan.firstLength();
    @Nullable Throwable failure = null;
    lock.unlock();
    try {
      fetch.open(firstLength);
    } catch (Throwable e) {
      failure = e;
    } finally {
      lock.lock();
      fetch.endOpening(failure);
      claimable.signalAll();
    }
  }

  /** Whether the next part is close enough to the consumer. */
  private boolean mayBeClaimed() {
    return queue.size() < QUEUE_LENGTH_MAX && plan.nextExtentNumber() <= reached + limits.depth();
  }

  private boolean fits(int length) {
    return (used + length <= limits.fetchedBytesMax() && queued + length <= queuedMax)
        || (waiting && queue.isEmpty() && !waitsForRoom);
  }

  private void add(FetchTask task) {
    queue.add(task);
    queued += task.memoryBytes();
  }

  private void fetch(FetchTask task) throws InterruptedException {
    @Nullable ByteBuffer buffer = null;
    try {
      buffer = spare.take(task.memoryBytes(), task.shard().isOfFile());
      Chunk chunk = task.fetch(this, buffer);
      lock.lock();
      try {
        task.arrived(chunk);
        arrived.signal();
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      // Every failure, out of memory too, must reach the waiting consumer.
      lock.lock();
      try {
        if (buffer != null) {
          letGo(buffer);
        }
        used -= task.memoryBytes();
        fail(task, e);
      } finally {
        lock.unlock();
      }
    }
  }

  private void fail(FetchTask task, Throwable cause) {
    failed |= !tolerates || !(cause instanceof IOException);
    plan.skip(task.shard());
    task.failed(cause);
    arrived.signal();
    claimable.signalAll();
  }
}
