package dev.tarn.gateway.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Adds up what was recorded. */
final class WindowTotals {
  private static final int PREFIXES_MAX = 64;
  private static final int BUCKETS_MAX = 100;

  private final WindowRing fine;
  private final WindowRing coarse;
  private final LoadWindow running;
  private final long nowMs;

  /**
   * Of these intervals.
   *
   * @param running the interval that is not over yet
   */
  WindowTotals(WindowRing fine, WindowRing coarse, LoadWindow running, long nowMs) {
    this.fine = fine;
    this.coarse = coarse;
    this.running = running;
    this.nowMs = nowMs;
  }

  LoadTotals of(Optional<String> bucket) {
    Map<String, LoadSum> spans = new HashMap<>();
    for (LoadTotals.Length length : LoadTotals.LENGTHS) {
      WindowRing ring = length.name().equals(LoadReport.DAY) ? coarse : fine;
      LoadSum sum = new LoadSum();
      since(ring, nowMs - length.ms()).forEach(window -> of(window, bucket).ifPresent(sum::add));
      spans.put(length.name(), sum);
    }
    List<LoadWindow> hour = since(fine, nowMs - LoadTotals.MINUTES * LoadTotals.MINUTE_MS);
    List<LoadWindow> day = since(coarse, nowMs - LoadTotals.DAY_POINTS * IoProfile.COARSE_MS);
    TopPrefixes prefixes = new TopPrefixes();
    since(coarse, nowMs - LoadTotals.MINUTES * LoadTotals.MINUTE_MS)
        .forEach(window -> prefixes.add(window.prefixes()));
    return new LoadTotals(
        bucket,
        nowMs,
        spans,
        points(hour, LoadTotals.MINUTE_MS, bucket),
        points(day, IoProfile.COARSE_MS, bucket),
        buckets(hour),
        prefixes.most(bucket, PREFIXES_MAX));
  }

  /** The intervals of a ring that began after this time, and the running one. */
  private List<LoadWindow> since(WindowRing ring, long fromMs) {
    List<LoadWindow> windows = new ArrayList<>(ring.since(fromMs + 1));
    windows.add(running);
    return windows;
  }

  private static Optional<Load> of(LoadWindow window, Optional<String> bucket) {
    return bucket.isEmpty()
        ? Optional.of(window.all())
        : Optional.ofNullable(window.buckets().get(bucket.orElseThrow()));
  }

  private static Map<Long, LoadSum> points(
      List<LoadWindow> windows, long pointMs, Optional<String> bucket) {
    Map<Long, LoadSum> sums = new HashMap<>();
    for (LoadWindow window : windows) {
      of(window, bucket)
          .ifPresent(load ->
              sums.computeIfAbsent(window.startMs() / pointMs, ignored -> new LoadSum()).add(load));
    }
    return sums;
  }

  private static Map<String, LoadSum> buckets(List<LoadWindow> windows) {
    Map<String, LoadSum> sums = new HashMap<>();
    for (LoadWindow window : windows) {
      window
          .buckets()
          .forEach((name, load) -> sums.computeIfAbsent(name, ignored -> new LoadSum()).add(load));
    }
    return sums.entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<String, LoadSum> entry) -> entry.getValue().requests())
                .reversed())
        .limit(BUCKETS_MAX)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
