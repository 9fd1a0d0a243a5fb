package dev.tarn.shard.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive positions of an epoch whose samples are read together. The runs say what is fetched;
 * a shuffled block delivers the samples in another order. Immutable.
 */
public final class Block {
  private final long start;
  private final int length;
  private final List<SampleRun> runs;

  /** For each position the number of its sample, counted along the runs; null if not shuffled. */
  private final int @Nullable [] delivery;

  private Block(long start, List<SampleRun> runs, int @Nullable [] delivery) {
    this.start = start;
    this.runs = List.copyOf(runs);
    this.length = runs.stream().mapToInt(SampleRun::length).sum();
    this.delivery = delivery;
    if (delivery != null && delivery.length != length) {
      throw new IllegalArgumentException(delivery.length + " places for " + length + " samples");
    }
  }

  /** A block that delivers samples in the order in which they are read. */
  static Block ordered(long start, List<SampleRun> runs) {
    return new Block(start, runs, null);
  }

  /**
   * A block that delivers samples in another order.
   *
   * @param delivery for each position the number of its sample, counted along the runs
   */
  static Block shuffled(long start, List<SampleRun> runs, int[] delivery) {
    return new Block(start, runs, delivery.clone());
  }

  /** The first position. */
  public long start() {
    return start;
  }

  /** The number of positions. */
  public int length() {
    return length;
  }

  /** The position after the last one. */
  public long end() {
    return start + length;
  }

  /** The runs to read, in this order. */
  public List<SampleRun> runs() {
    return runs;
  }

  /** Whether samples are delivered in the order in which they are read. */
  public boolean isOrdered() {
    return delivery == null;
  }

  /**
   * The number of the sample at a place, counted along the runs.
   *
   * @param place from 0, which is the position {@link #start()}
   */
  public int sample(int place) {
    return delivery == null ? place : delivery[place];
  }

  /**
   * The part of this block that delivers some of its positions; it reads no other samples.
   *
   * @param from the first position
   * @param to the position after the last one
   */
  public Block within(long from, long to) {
    if (from < start || from >= to || to > end()) {
      throw new IllegalArgumentException(
          "positions %d to %d of a block from %d to %d".formatted(from, to, start, end()));
    }
    int first = (int) (from - start);
    int end = (int) (to - start);
    if (end - first == length) {
      return this;
    }
    if (delivery == null) {
      return new Block(from, runs(range(first, end)), null);
    }
    int[] wanted = Arrays.copyOfRange(delivery, first, end);
    int[] read = wanted.clone();
    Arrays.sort(read);
    int[] part = new int[wanted.length];
    for (int i = 0; i < part.length; i++) {
      part[i] = Arrays.binarySearch(read, wanted[i]);
    }
    return new Block(from, runs(read), part);
  }

  /** The same block, with {@code count} added to its shards' numbers. */
  Block behindShards(int count) {
    if (count == 0) {
      return this;
    }
    List<SampleRun> shifted =
        runs.stream().map(run -> new SampleRun(count + run.shard(), run.from(), run.to())).toList();
    return new Block(start, shifted, delivery);
  }

  private static int[] range(int from, int to) {
    int[] numbers = new int[to - from];
    Arrays.setAll(numbers, i -> from + i);
    return numbers;
  }

  /**
   * The runs of some samples.
   *
   * @param numbers of the samples, ascending, counted along this block's runs
   */
  private List<SampleRun> runs(int[] numbers) {
    List<SampleRun> part = new ArrayList<>();
    int before = 0;
    int next = 0;
    for (SampleRun run : runs) {
      int end = before + run.length();
      while (next < numbers.length && numbers[next] < end) {
        int first = next;
        while (next + 1 < numbers.length
            && numbers[next + 1] == numbers[next] + 1
            && numbers[next + 1] < end) {
          next++;
        }
        int offset = run.from() - before;
        part.add(new SampleRun(run.shard(), offset + numbers[first], offset + numbers[next] + 1));
        next++;
      }
      before = end;
    }
    return part;
  }
}
