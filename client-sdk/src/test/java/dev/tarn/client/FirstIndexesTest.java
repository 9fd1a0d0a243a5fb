package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.lang.Thread.State;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which indexes an epoch asks for before the first part of a shard can be. */
@Timeout(60)
final class FirstIndexesTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int SHARDS = 4;
  private static final int SAMPLES = 60;

  private final MemoryStorage memory = new MemoryStorage();

  /** Keeps the first index back until so many were asked for, and nobody asks for more. */
  private final class LateIndex extends ForwardingStorage {
    private final int expected;
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private volatile boolean isThere;

    LateIndex(int expected) {
      super(memory);
      this.expected = expected;
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      if (!isThere && url.name().endsWith(".tarnidx")) {
        asked.add(url.name());
        if (url.name().equals(asked.peek())) {
          while (asked.size() < expected || !doOthersWait()) {
            Thread.onSpinWait();
          }
          isThere = true;
        }
      }
      return super.open(url, offset, end, etag);
    }

    private static boolean doOthersWait() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("tarn-prefetch-"))
          .filter(thread -> !thread.equals(Thread.currentThread()))
          .allMatch(thread -> thread.getState() == State.WAITING);
    }
  }

  private Queue<String> askedFirst(Shuffle shuffle, int expected) throws IOException {
    Shards.dataset(memory, FOLDER, SHARDS, SAMPLES, 5_000);
    LateIndex storage = new LateIndex(expected);
    try (ShardDataset dataset =
        ShardDataset.builder()
            .storage(storage)
            .manifest(FOLDER.toString())
            .rank(0, 1)
            .memoryBudget(1 << 20)
            .connections(4)
            .shuffle(shuffle)
            .build()) {
      assertThat(Shards.keys(dataset, 0)).doesNotHaveDuplicates().hasSize(SHARDS * SAMPLES);
    }
    return storage.asked;
  }

  @Test
  void onlyTheOneOfTheFirstShardWhereItHasTheFirstSamples() throws IOException {
    for (Shuffle shuffle : List.of(Shuffle.NONE, Shuffle.SHARDS, Shuffle.blocks(50_000))) {
      assertThat(askedFirst(shuffle, 1)).as("%s", shuffle).hasSize(1);
    }
  }

  @Test
  void thoseOfAllShardsThatTheFirstWindowIsSpreadOver() throws IOException {
    assertThat(askedFirst(Shuffle.FULL, SHARDS)).doesNotHaveDuplicates().hasSize(SHARDS);
  }
}
