package dev.tarn.client;

import dev.tarn.client.Checkpoint.Progress;
import dev.tarn.client.order.Deal;
import dev.tarn.client.order.EpochName;
import dev.tarn.client.order.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What a rank's consumer has received, of the positions that it has: numbered from 0 in the order
 * in which they are read. Safe for several threads.
 */
final class Delivery {
  private final EpochName epoch;
  private final Deal deal;
  private final TreeSet<Long> beyond;
  private long delivered;

  /**
   * @param progress where it begins
   */
  Delivery(EpochName epoch, Progress progress) {
    this.epoch = epoch;
    this.deal = progress.deal();
    this.delivered = progress.delivered();
    this.beyond = new TreeSet<>(progress.beyond());
  }

  /** The number of the epoch. */
  long epoch() {
    return epoch.epoch();
  }

  /** The positions that are still to be read, in that order. */
  synchronized List<Positions> left() {
    List<Positions> parts = new ArrayList<>();
    long from = delivered;
    for (long number : beyond) {
      add(parts, from, number);
      from = number + 1;
    }
    add(parts, from, deal.length());
    return parts;
  }

  private void add(List<Positions> parts, long from, long to) {
    Positions own = deal.own();
    long count = own.count();
    parts.add(own.slice(Math.min(from, count), Math.min(to, count)));
    parts.add(deal.padding().slice(Math.max(from, count) - count, Math.max(to, count) - count));
  }

  /** The number of the next one that nobody has received, from a number on. */
  synchronized long next(long number) {
    long next = Math.max(number, delivered);
    while (beyond.contains(next)) {
      next++;
    }
    return next;
  }

  /** Counts a sample that the consumer has received. */
  synchronized void received(long number) {
    if (number != delivered) {
      beyond.add(number);
      return;
    }
    delivered++;
    while (beyond.remove(delivered)) {
      delivered++;
    }
  }

  /** How far it has come. */
  synchronized Checkpoint checkpoint() {
    return Checkpoint.of(epoch, new Progress(deal, delivered, List.copyOf(beyond)));
  }
}
