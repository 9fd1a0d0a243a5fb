package dev.tarn.sharder.pack;

import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlannedShard;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * A task's share of a plan's shards: those whose middle lies in the task's share of all bytes. The
 * tasks together have every shard exactly once, and each has about the same work.
 *
 * @param task its number, from 0
 * @param tasks the number of tasks, at least 1
 */
public record Slice(int task, int tasks) {
  /** All shards. */
  public static final Slice WHOLE = new Slice(0, 1);

  public Slice {
    if (tasks < 1) {
      throw new IllegalArgumentException("task %d of %d: at least one".formatted(task, tasks));
    }
    if (task < 0 || task >= tasks) {
      throw new IllegalArgumentException(
          "task %d of %d: tasks are numbered from 0, the last of %2$d is %d"
              .formatted(task, tasks, tasks - 1));
    }
  }

  /** Returns the numbers of the task's shards in the plan, in ascending order. */
  public List<Integer> shards(Plan plan) {
    List<PlannedShard> all = plan.shards();
    long whole = all.stream().mapToLong(PlannedShard::length).sum();
    List<Integer> ours = new ArrayList<>();
    long start = 0;
    for (int number = 0; number < all.size(); number++) {
      long length = all.get(number).length();
      if (taskOf(start + length / 2, whole) == task) {
        ours.add(number);
      }
      start += length;
    }
    return ours;
  }

  private int taskOf(long offset, long whole) {
    return BigInteger.valueOf(offset)
        .multiply(BigInteger.valueOf(tasks))
        .divide(BigInteger.valueOf(whole))
        .intValueExact();
  }
}
