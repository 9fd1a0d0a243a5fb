package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What blocks hold whose samples take more than the mean of the stored ones. */
@Timeout(60)
final class BlockMemoryTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int BUDGET = 1 << 20;

  private final MemoryStorage storage = new MemoryStorage();

  private DatasetBuilder builder(long blockBytes) {
    return ShardDataset.builder()
        .storage(storage)
        .rank(0, 1)
        .manifest(FOLDER.toString())
        .shuffle(Shuffle.blocks(blockBytes))
        .memoryBudget(BUDGET);
  }

  /** What was held at most, as far as the consumer has seen. */
  private static long mostHeld(DatasetBuilder builder, int samplesExpected) throws IOException {
    List<String> keys = new ArrayList<>();
    long most = 0;
    try (ShardDataset dataset = builder.build();
        OpenEpoch.Samples samples = dataset.open(0).iterator()) {
      while (samples.hasNext()) {
        keys.add(samples.next().key());
        for (int look = 0; look < 10_000; look++) {
          most = Math.max(most, samples.usedBytes());
        }
      }
    }
    assertThat(keys).hasSize(samplesExpected).doesNotHaveDuplicates();
    return most;
  }

  /** Of 60 shards the last ones have samples of a size that is far above the mean. */
  private void packUneven(int large) throws IOException {
    int[] counts = new int[60];
    Arrays.fill(counts, 40);
    Shards.dataset(
        storage, FOLDER, 0, counts, (shard, random) -> new byte[shard < 50 ? 100 : large]);
  }

  /**
   * Two blocks of large samples do not fit into the budget together. One alone takes at most 6
   * parts of a sixteenth of the budget, and 5 copies of members that straddle two parts. That is
   * less than the five eighths which the parts fetched ahead leave.
   */
  @Test
  void budgetHoldsWhereSamplesOfSomeBlocksAreFarLargerThanTheMean() throws IOException {
    packUneven(40_000);
    try (Warnings warnings = new Warnings()) {
      assertThat(mostHeld(builder(64 * 1024), 60 * 40)).isLessThanOrEqualTo(BUDGET);
      assertThat(warnings.messages()).isEmpty();
    }
  }

  @Test
  void budgetHoldsWhereSamplesAreCompressed() throws IOException {
    Shards.gzipDataset(
        storage, FOLDER, 40, 20, (shard, random) -> new byte[10_000], 20, (index, tar) -> {});
    long shardBytes = storage.stat(FOLDER.child("shard-000007.tar")).size();
    try (Warnings warnings = new Warnings()) {
      assertThat(mostHeld(builder(shardBytes * 70 / 20), 40 * 20)).isLessThanOrEqualTo(BUDGET);
      assertThat(warnings.messages()).isEmpty();
    }
  }

  @Test
  void blockThatExceedsTheBudgetByItselfIsReadAndToldOfOnce() throws IOException {
    packUneven(100_000);
    try (Warnings warnings = new Warnings()) {
      assertThat(mostHeld(builder(256 * 1024), 60 * 40)).isGreaterThan(BUDGET);
      assertThat(warnings.messages())
          .singleElement()
          .asString()
          .contains("exceeds the memory budget by")
          .contains("set smaller blocks or batches, or a larger budget");
    }
  }
}
