package dev.tarn.targetnode.lifecycle;

import java.util.concurrent.atomic.LongAdder;

/** What lifecycle rules have done since the start. Safe for use by many threads. */
public final class LifecycleFigures {
  private final LongAdder objectsExpired = new LongAdder();
  private final LongAdder versionsRemoved = new LongAdder();
  private final LongAdder markersRemoved = new LongAdder();
  private final LongAdder uploadsAborted = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder rounds = new LongAdder();

  /** Current versions deleted, or hidden by a delete marker where the bucket keeps versions. */
  public long objectsExpired() {
    return objectsExpired.sum();
  }

  /** Noncurrent versions removed. */
  public long versionsRemoved() {
    return versionsRemoved.sum();
  }

  /** Delete markers removed because no version was left under them. */
  public long markersRemoved() {
    return markersRemoved.sum();
  }

  /** Uploads aborted. */
  public long uploadsAborted() {
    return uploadsAborted.sum();
  }

  /** Calls and walks that failed; the next round tries again. */
  public long failures() {
    return failures.sum();
  }

  /** Complete rounds through all buckets. */
  public long rounds() {
    return rounds.sum();
  }

  /** The kind of a deletion, counted when it has been done. */
  enum Deed {
    OBJECT_EXPIRED,
    VERSION_REMOVED,
    MARKER_REMOVED,
    UPLOAD_ABORTED
  }

  void count(Deed deed) {
    switch (deed) {
      case OBJECT_EXPIRED -> objectsExpired.increment();
      case VERSION_REMOVED -> versionsRemoved.increment();
      case MARKER_REMOVED -> markersRemoved.increment();
      case UPLOAD_ABORTED -> uploadsAborted.increment();
    }
  }

  void countFailure() {
    failures.increment();
  }

  void countRound() {
    rounds.increment();
  }
}
