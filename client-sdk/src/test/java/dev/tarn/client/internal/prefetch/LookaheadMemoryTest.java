package dev.tarn.client.internal.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The memory of a block while the consumer waits for it. The test is the lookahead thread. Before
 * each part that it takes, it lets the fetching thread fetch all that the limits allow.
 */
@Timeout(60)
final class LookaheadMemoryTest {
  private static final StorageUrl SHARD = StorageUrl.parse("memory://data/set/0.tar");
  private static final int BUDGET = 1 << 20;
  private static final int QUEUED_PARTS_MAX = 6;

  /** With the copies between them, these parts take less than five eighths of the budget. */
  private static final int BLOCK_PARTS = 6;

  private static final int COPY_BYTES = 40_000;

  private final PrefetchLimits limits = PrefetchLimits.of(BUDGET, 1, 0);
  private final MemoryStorage storage = new MemoryStorage();
  private final AtomicInteger step = new AtomicInteger();
  private final Semaphore settled = new Semaphore(0);
  private int stepSettled;
  private Prefetch prefetch;

  @BeforeEach
  void start() throws IOException {
    storage.write(SHARD, ByteBuffer.wrap(new byte[32 * limits.chunkBytes()]));
    prefetch =
        new Prefetch(
            storage,
            watched(List.of(Extent.whole(ShardSource.of(SHARD))).iterator()),
            new IndexStore(storage, 1, Optional.empty()),
            new FetchOptions(false, false, false, true, new Gaps(0, 0)),
            limits);
  }

  @AfterEach
  void stop() {
    prefetch.close();
  }

  /** A fetching thread that may claim nothing asks for further extents, under the lock. */
  private Iterator<Extent> watched(Iterator<Extent> extents) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        if (stepSettled < step.get() && prefetch.queuedParts() > 0) {
          stepSettled = step.get();
          settled.release();
        }
        return extents.hasNext();
      }

      @Override
      public Extent next() {
        return extents.next();
      }
    };
  }

  /** Waits until the fetching thread has found that it may claim nothing more. */
  private void settle() {
    step.incrementAndGet();
    prefetch.account(0);
    settled.acquireUninterruptibly();
  }

  /** Takes the parts of a block, and copies one member between each two of them. */
  private void readBlock() throws IOException {
    prefetch.consumerWaits(true);
    for (int part = 0; part < BLOCK_PARTS; part++) {
      if (part > 0) {
        prefetch.reserve(COPY_BYTES);
      }
      settle();
      assertThat(prefetch.take()).isNotNull();
    }
    settle();
    prefetch.consumerWaits(false);
  }

  @Test
  void firstBlockOfFiveEighthsFitsBesideThePartsFetchedAhead() throws IOException {
    settle();
    assertThat(prefetch.queuedParts()).isEqualTo(QUEUED_PARTS_MAX);
    readBlock();
    assertThat(prefetch.usedBytes()).isLessThanOrEqualTo(BUDGET);
  }

  @Test
  void blockOfFiveEighthsFitsBesideTheSampleThatTheConsumerHolds() throws IOException {
    settle();
    assertThat(prefetch.take()).isNotNull();
    prefetch.reserve(COPY_BYTES);
    readBlock();
    assertThat(prefetch.usedBytes()).isLessThanOrEqualTo(BUDGET);
  }
}
