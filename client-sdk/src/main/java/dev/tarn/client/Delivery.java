package dev.tarn.client;

import dev.tarn.client.Checkpoint.Progress;
import dev.tarn.shard.order.Assignment;
import dev.tarn.shard.order.EpochName;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.Positions.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Counts what a rank's consumer has received. The rank's positions are numbered from 0 in the order
 * in which they are read. Safe for several threads.
 */
final class Delivery {
  private final EpochName epoch;
  private final Progress begun;
  private long delivered;
  private Positions beyond;

  /**
   * Makes a delivery.
   *
   * @param progress at its begin
   */
  Delivery(EpochName epoch, Progress progress) {
    this.epoch = epoch;
    this.begun = progress;
    this.delivered = progress.delivered();
    this.beyond = progress.beyond();
  }

  /** The number of the epoch. */
  long epoch() {
    return epoch.epoch();
  }

  /** The numbers that remained at the begin, in the order in which they are read. */
  Positions numbers() {
    return begun.numbers();
  }

  /** How many numbers remained at the begin, if the epoch is not endless. */
  OptionalLong count() {
    return epoch.length() == Long.MAX_VALUE
        ? OptionalLong.empty()
        : OptionalLong.of(numbers().count());
  }

  /** The positions of the numbers that remained at the begin. */
  List<Positions> positions() {
    Assignment assignment = begun.assignment();
    Positions own = assignment.own();
    long count = own.count();
    List<Positions> parts = new ArrayList<>();
    for (Span part : numbers().spans()) {
      parts.add(own.slice(Math.min(part.from(), count), Math.min(part.to(), count)));
      parts.add(
          assignment
              .padding()
              .slice(Math.max(part.from(), count) - count, Math.max(part.to(), count) - count));
    }
    return parts;
  }

  /** Counts samples that the consumer has received. */
  synchronized void received(Span numbers) {
    if (numbers.from() > delivered) {
      beyond = Positions.union(List.of(beyond, Positions.of(List.of(numbers))));
      return;
    }
    delivered = numbers.to();
    while (beyond.count() > 0 && beyond.get(0) == delivered) {
      Span next = beyond.spans().get(0);
      delivered = next.to();
      beyond = beyond.slice(next.length(), beyond.count());
    }
  }

  /** The progress so far. */
  synchronized Checkpoint checkpoint() {
    return Checkpoint.of(epoch, new Progress(begun.assignment(), delivered, beyond));
  }
}
