package dev.tarn.shard.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Several datasets, assigned to positions by a schedule. An epoch is one cycle of the schedule.
 * Each dataset continues where the cycle before has ended.
 *
 * <p>Positions are read in windows: the items of one dataset in a window are read together. If
 * samples are shuffled in blocks, the window is the block. Each dataset's samples are permuted
 * within it, so that the mix stays as even.
 */
final class MixedOrder implements EpochOrder {
  private final MixSchedule schedule;
  private final List<Passes> datasets;
  private final Cycles cycles;
  private final int windowLength;
  private final List<SeededOrder> shuffles;

  /**
   * The cycles of the schedule that the positions belong to.
   *
   * @param first number of the first cycle
   * @param endless whether all later cycles follow
   */
  record Cycles(long first, boolean endless) {}

  /**
   * Makes the order.
   *
   * @param shuffles order of each dataset's samples within windows; empty if they are not permuted
   */
  MixedOrder(
      MixSchedule schedule,
      List<Passes> datasets,
      Cycles cycles,
      int windowLength,
      List<SeededOrder> shuffles) {
    this.schedule = schedule;
    this.datasets = List.copyOf(datasets);
    this.cycles = cycles;
    this.windowLength = windowLength;
    this.shuffles = List.copyOf(shuffles);
  }

  @Override
  public long length() {
    return cycles.endless() ? Long.MAX_VALUE : schedule.length();
  }

  @Override
  public int readTogether() {
    return windowLength;
  }

  @Override
  public boolean isScattered() {
    return datasets.stream().anyMatch(Passes::isScattered);
  }

  @Override
  public Block block(long position) {
    if (position < 0 || position >= length()) {
      throw new IndexOutOfBoundsException("position " + position + " of " + length());
    }
    long cycle = position / schedule.length();
    long inCycle = position % schedule.length();
    long from = inCycle - inCycle % windowLength;
    long to = Math.min(schedule.length(), from + windowLength);
    long[] before = schedule.before(from);
    long[] after = before.clone();
    int[] owners = new int[(int) (to - from)];
    for (int i = 0; i < owners.length; i++) {
      owners[i] = schedule.next(after);
      after[owners[i]]++;
    }
    long number = cycle * ((schedule.length() - 1) / windowLength + 1) + from / windowLength;
    List<SampleRun> runs = new ArrayList<>();
    int[] delivery = new int[owners.length];
    int read = 0;
    for (int i = 0; i < datasets.size(); i++) {
      long start = Math.multiplyExact(Math.addExact(cycles.first(), cycle), schedule.items(i));
      int[] items = items(i, start + before[i], start + after[i], number, runs);
      place(items, i, owners, read, delivery);
      read += items.length;
    }
    return Block.shuffled(cycle * schedule.length() + from, runs, delivery);
  }

  /** Adds the runs of some items, and returns each item's number along the runs of this call. */
  private int[] items(int dataset, long from, long to, long window, List<SampleRun> runs) {
    int[] numbers = new int[(int) (to - from)];
    int read = 0;
    for (Block part : datasets.get(dataset).items(from, to)) {
      runs.addAll(part.runs());
      for (int place = 0; place < part.length(); place++) {
        numbers[read + place] = read + part.sample(place);
      }
      read += part.length();
    }
    if (shuffles.isEmpty()) {
      return numbers;
    }
    int[] order = shuffles.get(dataset).block(numbers.length, window);
    return Arrays.stream(order).map(i -> numbers[i]).toArray();
  }

  private static void place(int[] items, int dataset, int[] owners, int read, int[] delivery) {
    int next = 0;
    for (int i = 0; i < owners.length; i++) {
      if (owners[i] == dataset) {
        delivery[i] = read + items[next++];
      }
    }
  }
}
