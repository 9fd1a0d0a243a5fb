package dev.tarn.cluster.target;

import java.util.List;

/**
 * What a step of an eviction dropped.
 *
 * @param objects the number of cached objects
 * @param bytes of these objects that were on disks
 * @param more whether another step may drop more
 */
public record Evicted(long objects, long bytes, boolean more) {
  /** What several members dropped. */
  static Evicted sum(List<Evicted> steps) {
    long objects = 0;
    long bytes = 0;
    boolean more = false;
    for (Evicted step : steps) {
      objects += step.objects;
      bytes += step.bytes;
      more |= step.more;
    }
    return new Evicted(objects, bytes, more);
  }
}
