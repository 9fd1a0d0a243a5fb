package dev.tarn.targetnode;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a scrub, so far or in total.
 *
 * @param objects checked
 * @param bytes read
 * @param corruptCount objects whose bytes are damaged or missing
 * @param corrupt the first of them, at most {@link #NAMED_MAX}
 */
public record ScrubReport(long objects, long bytes, long corruptCount, List<Corrupt> corrupt) {
  /** The greatest number of corrupt objects that a report names. */
  public static final int NAMED_MAX = 1000;

  /** A report of nothing. */
  public static final ScrubReport EMPTY = new ScrubReport(0, 0, 0, List.of());

  public ScrubReport {
    corrupt = List.copyOf(requireNonNull(corrupt, "corrupt is null"));
  }

  /**
   * An object whose bytes are damaged or missing.
   *
   * @param reason a sentence that says where
   */
  public record Corrupt(ObjectName name, ObjectVersion version, String reason) {
    public Corrupt {
      requireNonNull(name, "name is null");
      requireNonNull(version, "version is null");
      requireNonNull(reason, "reason is null");
    }
  }

  /** The sum of two reports. */
  public ScrubReport plus(ScrubReport other) {
    List<Corrupt> named = new ArrayList<>(corrupt);
    other.corrupt.stream().limit(NAMED_MAX - named.size()).forEach(named::add);
    return new ScrubReport(
        objects + other.objects, bytes + other.bytes, corruptCount + other.corruptCount, named);
  }
}
