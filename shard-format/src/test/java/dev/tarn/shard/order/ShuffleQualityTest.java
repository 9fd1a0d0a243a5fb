package dev.tarn.shard.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How random each shuffle is: what is uniform in it, and what it leaves together. */
final class ShuffleQualityTest {
  private static final int EPOCHS = 6000;

  private static int[] equal(int shards, int samples) {
    int[] counts = new int[shards];
    Arrays.fill(counts, samples);
    return counts;
  }

  /** How often each sample was seen in each cell, over many epochs. */
  private static int[][] seen(
      int[] counts, int cells, LongFunction<EpochOrder> orders, CellOf cell) {
    int all = Arrays.stream(counts).sum();
    int[][] seen = new int[all][cells];
    for (long epoch = 0; epoch < EPOCHS; epoch++) {
      long[] samples = EpochOrdersTest.samples(orders.apply(epoch), counts);
      for (int position = 0; position < all; position++) {
        seen[(int) samples[position]][cell.of(position)]++;
      }
    }
    return seen;
  }

  private interface CellOf {
    int of(int position);
  }

  private static void assertUniform(int[][] seen) {
    for (int[] cells : seen) {
      assertThat(ChiSquare.of(cells)).isLessThan(ChiSquare.bound(cells.length - 1));
    }
  }

  @Test
  void shuffledShardsComeAtEachPlaceAsOften() {
    int[] counts = equal(12, 3);

    assertUniform(
        seen(
            counts,
            12,
            epoch -> EpochOrders.shards(counts, new SeededOrder(5, epoch)),
            position -> position / 3));
  }

  @Test
  void samplesComeInEachBlockAsOften() {
    int[] counts = equal(8, 5);

    assertUniform(
        seen(
            counts,
            4,
            epoch -> EpochOrders.blocks(counts, new SeededOrder(5, epoch), 10),
            position -> position / 10));
  }

  @Test
  void samplesComeAtEachPlaceOfABlockAsOften() {
    int[] counts = equal(8, 5);

    assertUniform(
        seen(
            counts,
            10,
            epoch -> EpochOrders.blocks(counts, new SeededOrder(5, epoch), 10),
            position -> position % 10));
  }

  @Test
  void fullyShuffledSamplesComeAtEachPositionAsOften() {
    int[] counts = {7, 0, 20, 13};

    assertUniform(
        seen(
            counts,
            40,
            epoch -> EpochOrders.full(counts, new SeededOrder(5, epoch), 16),
            position -> position));
  }

  /**
   * Two datasets of the same shape that take turns: the order of one says nothing of the other's.
   */
  @Test
  void datasetsOfAMixAreShuffledByThemselves() {
    int[] counts = equal(1, 6);
    MixSchedule schedule = new MixSchedule(new long[] {6, 6});
    Passes first = new Passes(0, 6, pass -> EpochOrders.full(counts, order(pass, 0), 4));
    Passes second = new Passes(1, 6, pass -> EpochOrders.full(counts, order(pass, 1), 4));
    int[] both = {6, 6};
    int[][] together = new int[6][6];
    for (long epoch = 0; epoch < EPOCHS; epoch++) {
      EpochOrder order = EpochOrders.mixed(schedule, List.of(first, second), epoch, 5, List.of());
      long[] samples = EpochOrdersTest.samples(order, both);
      for (int position = 0; position < 12; position += 2) {
        together[(int) samples[position]][(int) samples[position + 1] - 6]++;
      }
    }

    int[] pairs = Arrays.stream(together).flatMapToInt(Arrays::stream).toArray();
    assertThat(ChiSquare.of(pairs)).isLessThan(ChiSquare.bound(25));
  }

  private static SeededOrder order(long pass, int dataset) {
    return new SeededOrder(5, pass).ofDataset(dataset);
  }

  /** What the documentation says of 64 shards of 1,000 samples each. */
  @ParameterizedTest
  @CsvSource({
    "STORED, 0, 1, 1.25",
    "SHARDS, 0, 1, 1.25",
    "BLOCKS, 250, 84, 1.25",
    "BLOCKS, 1000, 334, 1.25",
    "BLOCKS, 4000, 1334, 4.2",
    "BLOCKS, 16000, 5334, 16",
    "FULL, 0, 21334, 62.9",
  })
  void whatAShuffleLeavesTogetherIsAsItIsDocumented(
      EpochOrdersTest.Kind shuffle, int blockLength, double distance, double shards) {
    int[] counts = equal(64, 1000);
    SeededOrder seeded = new SeededOrder(5, 1);
    EpochOrder order =
        switch (shuffle) {
          case STORED -> EpochOrders.stored(counts);
          case SHARDS -> EpochOrders.shards(counts, seeded);
          case BLOCKS -> EpochOrders.blocks(counts, seeded, blockLength);
          case FULL -> EpochOrders.full(counts, seeded, 1024);
        };
    long[] samples = EpochOrdersTest.samples(order, counts);

    assertThat(neighbourDistance(samples)).isCloseTo(distance, within(0.02 * distance + 0.01));
    assertThat(shardsOfABatch(samples)).isCloseTo(shards, within(0.05 * shards));
  }

  /** How far apart samples come, in the mean, that are stored one behind the other in a shard. */
  private static double neighbourDistance(long[] samples) {
    int[] positions = new int[samples.length];
    for (int i = 0; i < samples.length; i++) {
      positions[(int) samples[i]] = i;
    }
    double sum = 0;
    int pairs = 0;
    for (int i = 0; i + 1 < positions.length; i++) {
      // A pair of two blocks is as far apart as the blocks are.
      if ((i + 1) % 250 != 0) {
        sum += Math.abs(positions[i] - positions[i + 1]);
        pairs++;
      }
    }
    return sum / pairs;
  }

  /** Of how many shards the samples of a batch of 256 are, in the mean. */
  private static double shardsOfABatch(long[] samples) {
    int batches = samples.length / 256;
    double sum = 0;
    for (int batch = 0; batch < batches; batch++) {
      Set<Long> shards = new TreeSet<>();
      for (int i = 0; i < 256; i++) {
        shards.add(samples[256 * batch + i] / 1000);
      }
      sum += shards.size();
    }
    return sum / batches;
  }
}
