package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.Thread.State;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an epoch asks for before its first sample is there. */
@Timeout(60)
final class HeadStartTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int SHARDS = 4;
  private static final int SAMPLES = 60;

  /** With its two headers, and a text in a block of its own. */
  private static final int SAMPLE_BYTES = 4096 + 3 * 512;

  private static final int BUDGET = 1 << 18;
  private static final int PART_BYTES = BUDGET / 16;

  private final MemoryStorage memory = new MemoryStorage();

  /** Keeps the first part back until all was asked for that is to be, and nobody asks for more. */
  private final class LateBeginning extends ForwardingStorage {
    private final int indexes;
    private final long bytes;
    private final Queue<Long> askedBytes = new ConcurrentLinkedQueue<>();
    private final Queue<String> askedIndexes = new ConcurrentLinkedQueue<>();
    private volatile boolean isThere;

    LateBeginning(int indexes, long bytes) {
      super(memory);
      this.indexes = indexes;
      this.bytes = bytes;
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      boolean isFirst = false;
      if (!isThere && url.name().endsWith(".tar")) {
        synchronized (this) {
          isFirst = askedBytes.isEmpty();
          askedBytes.add(end - offset);
        }
      } else if (!isThere && url.name().endsWith(".tarnidx")) {
        askedIndexes.add(url.name());
      }
      while (isFirst && !(isAllAskedFor() && doOthersWait())) {
        Thread.onSpinWait();
      }
      isThere |= isFirst;
      return super.open(url, offset, end, etag);
    }

    private boolean isAllAskedFor() {
      return askedIndexes.size() >= indexes && askedBytes() >= bytes;
    }

    private static boolean doOthersWait() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("tarn-prefetch-"))
          .filter(thread -> !thread.equals(Thread.currentThread()))
          .allMatch(thread -> thread.getState() == State.WAITING);
    }

    private long askedBytes() {
      return askedBytes.stream().mapToLong(part -> part).sum();
    }
  }

  private void dataset() throws IOException {
    int[] counts = {SAMPLES, SAMPLES, SAMPLES, SAMPLES};
    Shards.dataset(memory, FOLDER, 0, counts, (shard, random) -> new byte[4096]);
  }

  private static DatasetBuilder builder(Shuffle shuffle, Storage storage) {
    return ShardDataset.builder()
        .storage(storage)
        .manifest(FOLDER.toString())
        .rank(0, 1)
        .memoryBudget(BUDGET)
        .connections(4)
        .shuffle(shuffle);
  }

  private void readAnEpoch(Shuffle shuffle, Storage storage) throws IOException {
    dataset();
    try (ShardDataset dataset = builder(shuffle, storage).build()) {
      assertThat(Shards.keys(dataset, 0)).doesNotHaveDuplicates().hasSize(SHARDS * SAMPLES);
    }
  }

  @Test
  void nothingBehindTheFirstBlockIsAskedForBeforeItIsThere() throws IOException {
    int blockBytes = 10 * SAMPLE_BYTES;
    LateBeginning storage = new LateBeginning(1, blockBytes);
    readAnEpoch(Shuffle.blocks(blockBytes), storage);
    assertThat(storage.askedBytes()).isLessThan(blockBytes + PART_BYTES);
    assertThat(storage.askedIndexes).hasSize(1);
  }

  @Test
  void noOtherIndexIsAskedForWhereSamplesComeInTheOrderOfShards() throws IOException {
    LateBeginning storage = new LateBeginning(1, 4 * PART_BYTES);
    readAnEpoch(Shuffle.SHARDS, storage);
    assertThat(storage.askedIndexes).hasSize(1);
  }

  @Test
  void allThatSamplesOfTheFirstWindowAreSpreadOverIsAskedForAtOnce() throws IOException {
    LateBeginning storage = new LateBeginning(SHARDS, 1);
    readAnEpoch(Shuffle.FULL, storage);
    assertThat(storage.askedIndexes).doesNotHaveDuplicates().hasSize(SHARDS);
  }

  /** The consumer gives the shard up and needs the next, whatever becomes of the rest of it. */
  @Test
  void partThatFailsHoldsUpNothingBehindIt() throws IOException {
    dataset();
    CountDownLatch isNextAsked = new CountDownLatch(1);
    AtomicReference<String> first = new AtomicReference<>("");
    Storage storage =
        new ForwardingStorage(memory) {
          @Override
          public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
              throws IOException {
            if (url.name().endsWith(".tar")) {
              if (first.compareAndSet("", url.name())) {
                throw new StorageException(Kind.FAILED, url, "cannot be read");
              }
              if (url.name().equals(first.get())) {
                await(isNextAsked);
              }
              isNextAsked.countDown();
            }
            return super.open(url, offset, end, etag);
          }
        };
    try (ShardDataset dataset =
            builder(Shuffle.blocks(10 * SAMPLE_BYTES), storage)
                .errors(ErrorPolicy.skip(SAMPLES))
                .build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThat(Shards.take(samples, Integer.MAX_VALUE))
          .isBetween((SHARDS - 1) * SAMPLES, SHARDS * SAMPLES - 1);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }
}
