package dev.tarn.client;

import dev.tarn.client.ExtentReading.Placed;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.prefetch.Threads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the next block in a thread of its own while the consumer has the one before: of a block
 * that is shuffled or mixed, all must be read before its first sample is known. Where there is no
 * room for both it waits for the consumer to let go of samples; only where the consumer waits for a
 * block, and that block finds no room by itself, is the budget exceeded.
 */
final class GatheringAhead implements Gathering {
  private static final Logger LOG = System.getLogger(GatheringAhead.class.getName());

  private final Gathering gathering;
  private final Prefetch prefetch;
  private final BlockingQueue<Gathered> gathered = new LinkedBlockingQueue<>();

  /** One block is gathered for each that the consumer has taken, so that two are held. */
  private final Semaphore wanted = new Semaphore(1);

  private boolean isExcessTold;

  private GatheringAhead(Gathering gathering, Prefetch prefetch) {
    this.gathering = gathering;
    this.prefetch = prefetch;
  }

  /** A block, empty after the last; or what has ended the gathering. */
  private record Gathered(Queue<Placed> block, @Nullable Throwable failure) {}

  /**
   * Starts gathering.
   *
   * @param prefetch what is gathered from, with which the thread ends
   */
  static Gathering start(Gathering gathering, Prefetch prefetch) {
    GatheringAhead ahead = new GatheringAhead(gathering, prefetch);
    prefetch.beginGathering();
    prefetch.start("tarn-gather", ahead::gatherAll);
    return ahead;
  }

  @Override
  public void gather(Queue<Placed> ready) throws IOException {
    Gathered next = gathered.poll();
    if (next == null) {
      next = await();
    }
    wanted.release();
    Throwable failure = next.failure();
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    ready.addAll(next.block());
  }

  private Gathered await() throws IOException {
    prefetch.consumerWaits(true);
    try {
      return gathered.take();
    } catch (InterruptedException e) {
      throw Threads.interrupted(e);
    } finally {
      prefetch.consumerWaits(false);
    }
  }

  private void gatherAll() {
    Queue<Placed> block = new ArrayDeque<>();
    try {
      do {
        wanted.acquire();
        block = new ArrayDeque<>();
        gathering.gather(block);
        tellExcess(block.size());
        gathered.add(new Gathered(block, null));
      } while (!block.isEmpty());
    } catch (InterruptedException e) {
      // Only the close interrupts this thread.
      gathered.add(new Gathered(block, new InterruptedIOException("the iterator is closed")));
    } catch (Throwable e) {
      // Whatever ends it must reach the consumer that waits, behind the blocks before it.
      gathered.add(new Gathered(block, e));
    }
  }

  private void tellExcess(int samples) {
    long excess = prefetch.excessBytes();
    if (excess > 0 && !isExcessTold) {
      isExcessTold = true;
      LOG.log(
          Level.WARNING,
          "{0} samples that are gathered together, and those that are delivered and held, as in"
              + " batches, exceed the memory budget by {1} bytes: samples are larger than the mean,"
              + " or compressed, or many are held; the epoch goes on, set smaller blocks or"
              + " batches, or a larger budget (this is said once in an epoch)",
          samples,
          excess);
    }
  }
}
