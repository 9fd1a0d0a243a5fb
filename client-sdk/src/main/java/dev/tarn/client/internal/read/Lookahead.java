package dev.tarn.client.internal.read;

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
 * Reads the next block in a thread of its own while the consumer has the block before it. A block
 * that is shuffled or mixed must be read whole before its first sample is known.
 *
 * <p>If the budget has no room for both blocks, the thread waits until the consumer releases
 * samples. While the consumer waits for the block, nothing else is released. The thread then reads
 * the block in any case. A block that does not fit beside what the consumer holds and what is
 * fetched ahead exceeds the budget.
 */
public final class Lookahead implements SampleBlocks {
  private static final Logger LOG = System.getLogger("dev.tarn.client.ShardDataset");

  private final SampleBlocks blocks;
  private final Prefetch prefetch;
  private final BlockingQueue<Result> results = new LinkedBlockingQueue<>();

  /** One block is read for each block that the consumer has taken, so that two are in memory. */
  private final Semaphore wanted = new Semaphore(1);

  private boolean excessLogged;

  private Lookahead(SampleBlocks blocks, Prefetch prefetch) {
    this.blocks = blocks;
    this.prefetch = prefetch;
  }

  /** A block, empty after the last; or the failure that ended the reading. */
  private record Result(Queue<ReadSample> block, @Nullable Throwable failure) {}

  /**
   * Starts to read ahead.
   *
   * @param prefetch source of the blocks' bytes, whose options declare a lookahead; its close ends
   *     the thread
   */
  public static SampleBlocks start(SampleBlocks blocks, Prefetch prefetch) {
    Lookahead lookahead = new Lookahead(blocks, prefetch);
    prefetch.start("tarn-lookahead", lookahead::readAll);
    return lookahead;
  }

  @Override
  public void readNext(Queue<ReadSample> ready) throws IOException {
    Result next = results.poll();
    if (next == null) {
      next = await();
    }
    wanted.release();
    Threads.rethrow(next.failure());
    ready.addAll(next.block());
  }

  private Result await() throws IOException {
    prefetch.consumerWaits(true);
    try {
      return results.take();
    } catch (InterruptedException e) {
      throw Threads.interrupted(e);
    } finally {
      prefetch.consumerWaits(false);
    }
  }

  private void readAll() {
    Queue<ReadSample> block = new ArrayDeque<>();
    try {
      do {
        wanted.acquire();
        block = new ArrayDeque<>();
        blocks.readNext(block);
        logExcess(block.size());
        results.add(new Result(block, null));
      } while (!block.isEmpty());
    } catch (InterruptedException e) {
      // Only the close interrupts this thread.
      results.add(new Result(block, new InterruptedIOException("the iterator is closed")));
    } catch (Throwable e) {
      // Every failure must reach the waiting consumer, behind the blocks before it.
      results.add(new Result(block, e));
    }
  }

  private void logExcess(int samples) {
    long excess = prefetch.excessBytes();
    if (excess > 0 && !excessLogged) {
      excessLogged = true;
      LOG.log(
          Level.WARNING,
          "a block of {0} samples, with the samples that the consumer still holds, exceeds the"
              + " memory budget by {1} bytes: its samples are larger than the mean, compressed, or"
              + " many are held; the epoch continues; set smaller blocks or batches, or a larger"
              + " budget (logged once in an epoch)",
          samples,
          excess);
    }
  }
}
