package dev.tarn.client;

import dev.tarn.shard.order.Assignment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * What samples that do not go into equal parts do to the ranks' shares.
 *
 * @param count how many samples there are for all ranks
 * @param each how many every rank receives
 * @param dropped how many no rank receives
 * @param repeated how many come once more
 */
record Shares(long count, long each, long dropped, long repeated) {
  // Under the name of the class that users know.
  private static final Logger LOG = System.getLogger(ShardDataset.class.getName());

  /** Those of an assignment that has an end. */
  static Shares of(Assignment assignment) {
    long count = assignment.positions().count();
    long dropped = assignment.dropped().count();
    return new Shares(
        count,
        assignment.length(),
        dropped,
        assignment.length() * assignment.ranks() - (count - dropped));
  }

  /**
   * Warns of samples that are left out or repeated, if there are any.
   *
   * @param what the samples are of
   */
  void say(Ranks ranks, String what) {
    if (dropped > 0) {
      LOG.log(
          Level.WARNING,
          "rank %d of %d: %d of the %d samples of %s are left out, so that each rank has %d;"
                  .formatted(ranks.rank(), ranks.ranks(), dropped, count, what, each)
              + " with Uneven.PAD samples come twice instead");
    }
    if (repeated > 0) {
      LOG.log(
          Level.WARNING,
          "rank %d of %d: %d of the %d samples of %s come twice, so that each rank has %d"
              .formatted(ranks.rank(), ranks.ranks(), repeated, count, what, each));
    }
  }
}
