package dev.tarn.gateway.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last intervals of one length. A new interval takes the place of the oldest. */
final class WindowRing {
  private final long lengthMs;
  private final @Nullable LoadWindow[] windows;

  /**
   * A ring without intervals.
   *
   * @param lengthMs of each interval
   */
  WindowRing(int count, long lengthMs) {
    this.lengthMs = lengthMs;
    this.windows = new LoadWindow[count];
  }

  /** The interval in which this time is, which is new or among the last. */
  LoadWindow at(long timeMs) {
    long number = timeMs / lengthMs;
    int place = (int) (number % windows.length);
    LoadWindow present = windows[place];
    if (present == null || present.number() != number) {
      present = new LoadWindow(number, lengthMs);
      windows[place] = present;
    }
    return present;
  }

  /** The intervals that were recorded and began at this time or later, in order. */
  List<LoadWindow> since(long fromMs) {
    List<LoadWindow> found = new ArrayList<>();
    for (LoadWindow window : windows) {
      if (window != null && window.startMs() >= fromMs) {
        found.add(window);
      }
    }
    found.sort(Comparator.comparingLong(LoadWindow::number));
    return found;
  }
}
