package dev.tarn.client;

import dev.tarn.shard.order.Assignment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The division of samples among ranks.
 *
 * @param count of samples for all ranks
 * @param each how many samples each rank receives
 * @param dropped how many samples no rank receives
 * @param repeated how many samples come once more
 */
record Shares(long count, long each, long dropped, long repeated) {
  // Users know the dataset's class.
  private static final Logger LOG = System.getLogger(ShardDataset.class.getName());

  /** The shares of an assignment that is not endless. */
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
   * Logs a warning if samples are left out or repeated.
   *
   * @param what the samples are of
   */
  void warn(Ranks ranks, String what) {
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
