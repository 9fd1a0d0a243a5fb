package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.lang.Thread.State;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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

  /** Keeps the first part back until all who fetch beside it have nothing left to do. */
  private final class LateBeginning extends ForwardingStorage {
    private final Queue<Long> askedBytes = new ConcurrentLinkedQueue<>();
    private final Queue<String> askedIndexes = new ConcurrentLinkedQueue<>();
    private volatile boolean isThere;

    LateBeginning() {
      super(memory);
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
      while (isFirst && !doOthersWait()) {
        Thread.onSpinWait();
      }
      isThere |= isFirst;
      return super.open(url, offset, end, etag);
    }

    private static boolean doOthersWait() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("tarn-prefetch-"))
          .filter(thread -> !thread.equals(Thread.currentThread()))
          .allMatch(thread -> thread.getState() == State.WAITING);
    }

    private long askedBytes() {
      return askedBytes.stream().mapToLong(bytes -> bytes).sum();
    }
  }

  private LateBeginning readAnEpoch(Shuffle shuffle) throws IOException {
    int[] counts = {SAMPLES, SAMPLES, SAMPLES, SAMPLES};
    Shards.dataset(memory, FOLDER, 0, counts, (shard, random) -> new byte[4096]);
    LateBeginning storage = new LateBeginning();
    try (ShardDataset dataset =
        ShardDataset.builder()
            .storage(storage)
            .manifest(FOLDER.toString())
            .rank(0, 1)
            .memoryBudget(BUDGET)
            .connections(4)
            .shuffle(shuffle)
            .build()) {
      assertThat(Shards.keys(dataset, 0)).doesNotHaveDuplicates().hasSize(SHARDS * SAMPLES);
    }
    return storage;
  }

  @Test
  void nothingBehindTheFirstBlockIsAskedForBeforeItIsThere() throws IOException {
    int blockBytes = 10 * SAMPLE_BYTES;
    LateBeginning storage = readAnEpoch(Shuffle.blocks(blockBytes));
    assertThat(storage.askedBytes())
        .isBetween((long) blockBytes / 2, (long) blockBytes + PART_BYTES);
    assertThat(storage.askedIndexes).hasSize(1);
  }

  @Test
  void onlyTheFirstPartIsAskedForWhereSamplesComeInTheOrderOfShards() throws IOException {
    LateBeginning storage = readAnEpoch(Shuffle.SHARDS);
    assertThat(storage.askedBytes()).isEqualTo(PART_BYTES);
    assertThat(storage.askedIndexes).hasSize(1);
  }

  @Test
  void allThatSamplesOfTheFirstWindowAreSpreadOverIsAskedForAtOnce() throws IOException {
    LateBeginning storage = readAnEpoch(Shuffle.FULL);
    assertThat(storage.askedIndexes).doesNotHaveDuplicates().hasSize(SHARDS);
  }
}
