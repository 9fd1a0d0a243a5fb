package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;
import java.util.List;

/**
 * The result of one step of an eviction.
 *
 * @param objects the number of cached objects
 * @param bytes of these objects that were on disks
 * @param next the key after which the next step goes on; empty if this was the last step
 */
public record Evicted(long objects, long bytes, String next) {
  public Evicted {
    requireNonNull(next, "next is null");
  }

  /** The sum of the members' results. The next step begins where the slowest of them stopped. */
  static Evicted sum(List<Evicted> steps) {
    long objects = 0;
    long bytes = 0;
    String next = "";
    for (Evicted step : steps) {
      objects += step.objects;
      bytes += step.bytes;
      if (!step.next.isEmpty() && (next.isEmpty() || isBefore(step.next, next))) {
        next = step.next;
      }
    }
    return new Evicted(objects, bytes, next);
  }

  private static boolean isBefore(String key, String other) {
    return ObjectKey.of(key).compareTo(ObjectKey.of(other)) < 0;
  }
}
