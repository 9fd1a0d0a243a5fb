package dev.tarn.client.internal.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What buffers that are kept to be used again take beside those in use. */
@Timeout(60)
final class SpareMemoryTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int BUDGET = 1 << 20;

  /** As many as are fetched at once. */
  private static final int CHUNKS = 14;

  private final PrefetchLimits limits = PrefetchLimits.of(BUDGET, 2, 0);
  private final MemoryStorage storage = new MemoryStorage();

  @BeforeEach
  void put() throws IOException {
    for (int i = 0; i < 2; i++) {
      byte[] shard = new byte[CHUNKS * limits.chunkBytes()];
      storage.write(FOLDER.child(i + ".tar"), ByteBuffer.wrap(shard));
    }
  }

  /** Of shards that are fetched one by one. */
  private Prefetch prefetch(int shards) {
    List<Extent> extents = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      extents.add(Extent.whole(ShardSource.of(FOLDER.child(i + ".tar"))));
    }
    return new Prefetch(
        storage,
        extents.iterator(),
        new IndexStore(storage, 1, Optional.empty()),
        new FetchOptions(false, false, false, false, new Gaps(0, 0)),
        limits);
  }

  /** Takes all parts of a shard, and lets go of them. */
  private static void pass(Prefetch prefetch) throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    do {
      chunks.add(prefetch.take());
    } while (!chunks.get(chunks.size() - 1).isLast());
    assertThat(chunks).hasSize(CHUNKS);
    chunks.forEach(Chunk::release);
    assertThat(prefetch.usedBytes()).isZero();
  }

  @Test
  void budgetHoldsForThemAndWhatIsReservedOrCopied() throws IOException {
    try (Prefetch prefetch = prefetch(2)) {
      pass(prefetch);
      assertThat(prefetch.heldBytes()).isPositive();
      prefetch.reserve(BUDGET / 2);
      assertThat(prefetch.heldBytes()).isLessThanOrEqualTo(BUDGET);
      prefetch.account(BUDGET / 4);
      assertThat(prefetch.heldBytes()).isLessThanOrEqualTo(BUDGET);
    }
  }

  @Test
  void noneIsKeptWhenNothingIsLeftToFetch() throws IOException {
    try (Prefetch prefetch = prefetch(2)) {
      pass(prefetch);
      pass(prefetch);
      assertThat(prefetch.heldBytes()).isZero();
      assertThat(prefetch.take()).isNull();
    }
  }
}
