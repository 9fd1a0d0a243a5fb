package dev.tarn.client;

import dev.tarn.client.ExtentReading.Placed;
import dev.tarn.client.prefetch.Prefetch;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the next block in a thread of its own while the consumer has the one before: of a block
 * that is shuffled, all must be read before its first sample is known.
 */
final class GatheringAhead implements Gathering {
  private final Gathering gathering;
  private final BlockingQueue<Gathered> gathered = new LinkedBlockingQueue<>();

  /** One block is gathered for each that the consumer has taken, so that two are held. */
  private final Semaphore wanted = new Semaphore(1);

  private GatheringAhead(Gathering gathering) {
    this.gathering = gathering;
  }

  /** A block, empty after the last; or what has ended the gathering. */
  private record Gathered(Queue<Placed> block, @Nullable Throwable failure) {}

  /**
   * Starts gathering.
   *
   * @param prefetch what is gathered from, with which the thread ends
   */
  static Gathering start(Gathering gathering, Prefetch prefetch) {
    GatheringAhead ahead = new GatheringAhead(gathering);
    prefetch.start("tarn-gather", ahead::gatherAll);
    return ahead;
  }

  @Override
  public void gather(Queue<Placed> ready) throws IOException {
    Gathered next;
    try {
      next = gathered.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while waiting for data").initCause(e);
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

  private void gatherAll() {
    Queue<Placed> block = new ArrayDeque<>();
    try {
      do {
        wanted.acquire();
        block = new ArrayDeque<>();
        gathering.gather(block);
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
}
