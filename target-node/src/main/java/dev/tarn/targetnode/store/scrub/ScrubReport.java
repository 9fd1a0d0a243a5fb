package dev.tarn.targetnode.store.scrub;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * What a scrub found, so far or in all.
 *
 * @param objects looked at
 * @param bytes read
 * @param corruptCount objects that are not what was written
 * @param corrupt the first of them, at most {@link #NAMED_MAX}
 */
public record ScrubReport(long objects, long bytes, long corruptCount, List<Corrupt> corrupt) {
  /** How many corrupt objects are named. */
  public static final int NAMED_MAX = 1000;

  /** Nothing yet. */
  public static final ScrubReport EMPTY = new ScrubReport(0, 0, 0, List.of());

  public ScrubReport {
    corrupt = List.copyOf(requireNonNull(corrupt, "corrupt is null"));
  }

  /**
   * An object that is not what was written.
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

  /** This and another one. */
  public ScrubReport plus(ScrubReport other) {
    List<Corrupt> named = new ArrayList<>(corrupt);
    other.corrupt.stream().limit(NAMED_MAX - named.size()).forEach(named::add);
    return new ScrubReport(
        objects + other.objects, bytes + other.bytes, corruptCount + other.corruptCount, named);
  }
}
