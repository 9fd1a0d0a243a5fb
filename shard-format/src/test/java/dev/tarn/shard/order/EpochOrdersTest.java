package dev.tarn.shard.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class EpochOrdersTest {
  enum Kind {
    STORED,
    SHARDS,
    BLOCKS,
    FULL;

    EpochOrder of(int[] counts, long seed, long epoch) {
      SeededOrder order = new SeededOrder(seed, epoch);
      return switch (this) {
        case STORED -> EpochOrders.stored(counts);
        case SHARDS -> EpochOrders.shards(counts, order);
        case BLOCKS -> EpochOrders.blocks(counts, order, 1 + Math.floorMod(seed, 70));
        case FULL -> EpochOrders.full(counts, order, 1 + Math.floorMod(seed, 300));
      };
    }
  }

  /** The sample at each position, counted over the shards as they are stored. */
  static long[] samples(EpochOrder order, int[] counts) {
    long[] samples = new long[(int) order.length()];
    for (long position = 0; position < samples.length; ) {
      Block block = order.block(position);
      for (int place = 0; place < block.length(); place++) {
        samples[(int) (block.start() + place)] = sample(block, place, counts);
      }
      position = block.end();
    }
    return samples;
  }

  private static long sample(Block block, int place, int[] counts) {
    int number = block.sample(place);
    for (SampleRun run : block.runs()) {
      if (number < run.length()) {
        return Arrays.stream(counts, 0, run.shard()).asLongStream().sum() + run.from() + number;
      }
      number -= run.length();
    }
    throw new AssertionError("place " + place + " of " + block.length());
  }

  private static int[] counts(Random random) {
    return random.ints(1 + random.nextInt(12), 0, 120).toArray();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everySampleComesOnce(Kind kind) {
    for (int seed = 0; seed < 200; seed++) {
      int[] counts = counts(new Random(seed));
      long all = Arrays.stream(counts).sum();

      long[] samples = samples(kind.of(counts, seed, seed % 3), counts);

      assertThat(LongStream.of(samples).sorted().toArray())
          .isEqualTo(LongStream.range(0, all).toArray());
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void anyPositionIsFoundWithoutThoseBeforeIt(Kind kind) {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      int[] counts = counts(random);
      EpochOrder order = kind.of(counts, seed, 1);
      long[] samples = samples(order, counts);
      for (int look = 0; look < 20 && order.length() > 0; look++) {
        long position = random.nextLong(order.length());

        Block block = order.block(position);

        assertThat(position).isBetween(block.start(), block.end() - 1);
        assertThat(sample(block, (int) (position - block.start()), counts))
            .isEqualTo(samples[(int) position]);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void partOfABlockReadsAndDeliversItsOwnSamplesAlone(Kind kind) {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      int[] counts = {40, 0, 300, 7, 90};
      EpochOrder order = kind.of(counts, seed, 1);
      Block block = order.block(random.nextLong(order.length()));
      long from = block.start() + random.nextInt(block.length());
      long to = from + 1 + random.nextInt((int) (block.end() - from));

      Block part = block.within(from, to);

      assertThat(part.start()).isEqualTo(from);
      assertThat(part.end()).isEqualTo(to);
      for (int place = 0; place < part.length(); place++) {
        assertThat(sample(part, place, counts))
            .isEqualTo(sample(block, (int) (from - block.start()) + place, counts));
      }
    }
  }

  @Test
  void seedAndEpochMakeTheOrder() {
    int[] counts = {500, 300, 20};
    for (Kind kind : new Kind[] {Kind.SHARDS, Kind.BLOCKS, Kind.FULL}) {
      long[] samples = samples(kind.of(counts, 34, 1), counts);

      assertThat(samples(kind.of(counts, 34, 1), counts)).isEqualTo(samples);
      assertThat(samples(kind.of(counts, 35, 1), counts)).isNotEqualTo(samples);
      List<long[]> epochs =
          LongStream.range(2, 8).mapToObj(e -> samples(kind.of(counts, 34, e), counts)).toList();
      assertThat(epochs).anySatisfy(other -> assertThat(other).isNotEqualTo(samples));
    }
  }

  /** What these give is part of what checkpoints mean: it must never change. */
  @Test
  void ordersAreTheSameForEver() {
    int[] counts = {3, 5, 4};
    long[][] orders = {
      samples(EpochOrders.shards(counts, new SeededOrder(7, 2)), counts),
      samples(EpochOrders.blocks(counts, new SeededOrder(7, 2), 5), counts),
      samples(EpochOrders.full(counts, new SeededOrder(7, 2), 1024), counts),
      LongStream.of(0, 9_999, 123_456)
          .map(place -> new Permutation(1_000_000, new SeededOrder(7, 2)).at(place))
          .toArray(),
    };

    assertThat(orders)
        .isDeepEqualTo(
            new long[][] {
              {8, 9, 10, 11, 3, 4, 5, 6, 7, 0, 1, 2},
              {9, 3, 11, 10, 8, 0, 7, 6, 5, 4, 1, 2},
              {1, 9, 0, 6, 4, 7, 2, 10, 3, 11, 8, 5},
              {8_974, 822_073, 441_053},
            });
  }

  static Stream<Integer> sizes() {
    return Stream.of(1, 2, 3, 4095, 4096, 4097, 5000, 70_000);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void permutationHasEveryNumberOnce(int size) {
    Permutation permutation = new Permutation(size, new SeededOrder(3, size));
    boolean[] seen = new boolean[size];
    for (int place = 0; place < size; place++) {
      int number = (int) permutation.at(place);
      assertThat(seen[number]).isFalse();
      seen[number] = true;
    }
  }

  @Test
  void placesBeyondAnOrderAreRefused() {
    EpochOrder order = EpochOrders.stored(new int[] {2, 3});

    assertThatThrownBy(() -> order.block(5)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> order.block(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void resamplingDrawsEverySampleAboutAsOftenAndHasNoEnd() {
    int[] counts = {10, 0, 25, 15};
    EpochOrder order = EpochOrders.resampled(counts, new SeededOrder(5, 0), 7, true);
    int draws = 50 * 700;
    int[] seen = new int[50];
    for (long position = 0; position < draws; ) {
      Block block = order.block(position);
      for (int place = 0; place < block.length(); place++) {
        seen[(int) sample(block, place, counts)]++;
      }
      position = block.end();
    }

    assertThat(order.length()).isEqualTo(Long.MAX_VALUE);
    assertThat(order.block(1L << 60).start()).isPositive();
    // Seven samples are drawn together: their counts vary as 7 times those of single draws do.
    assertThat(ChiSquare.of(seen) / 7).isLessThan(ChiSquare.bound(49));
  }

  /** Over many epochs each sample is as often at each position as at any other. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"BLOCKS", "FULL"})
  void shuffledSamplesAreAnywhereAsOften(Kind kind) {
    int[] counts = {10, 10, 10};
    int epochs = 6000;
    int[][] seen = new int[30][30];
    for (int epoch = 0; epoch < epochs; epoch++) {
      long[] samples = samples(kind.of(counts, 70 + 29, epoch), counts);
      for (int position = 0; position < samples.length; position++) {
        seen[(int) samples[position]][position]++;
      }
    }

    // A block of 30 holds all: also that shuffle is a uniform one then.
    List<Double> statistics = new ArrayList<>();
    for (int[] positions : seen) {
      statistics.add(ChiSquare.of(positions));
    }
    assertThat(statistics).allSatisfy(value -> assertThat(value).isLessThan(ChiSquare.bound(29)));
  }

  @Test
  void largePermutationsAreUniformToo() {
    int size = 100_000;
    int cells = 50;
    int[][] seen = new int[cells][cells];
    for (int epoch = 0; epoch < 10; epoch++) {
      Permutation permutation = new Permutation(size, new SeededOrder(11, epoch));
      for (int place = 0; place < size; place++) {
        seen[place * cells / size][(int) (permutation.at(place) * cells / size)]++;
      }
    }

    int[] all = Arrays.stream(seen).flatMapToInt(Arrays::stream).toArray();
    assertThat(ChiSquare.of(all)).isLessThan(ChiSquare.bound(cells * cells - 1));
  }
}
