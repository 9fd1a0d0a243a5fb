package dev.tarn.gateway.profile;

import dev.tarn.gateway.profile.LoadReport.BucketLoad;
import dev.tarn.gateway.profile.LoadReport.Point;
import dev.tarn.gateway.profile.LoadReport.PrefixLoad;
import dev.tarn.gateway.profile.LoadReport.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes reports of what was recorded. */
final class LoadReports {
  private static final long MINUTE_MS = 60_000;
  private static final int MINUTES = 60;
  private static final int DAY_POINTS = 288;
  private static final int PREFIXES_MAX = 20;

  private final WindowRing fine;
  private final WindowRing coarse;
  private final LoadWindow running;
  private final long nowMs;

  /**
   * Of these intervals.
   *
   * @param running the interval that is not over yet
   */
  LoadReports(WindowRing fine, WindowRing coarse, LoadWindow running, long nowMs) {
    this.fine = fine;
    this.coarse = coarse;
    this.running = running;
    this.nowMs = nowMs;
  }

  LoadReport of(Optional<String> bucket) {
    List<LoadWindow> hour = since(fine, nowMs - MINUTES * MINUTE_MS);
    List<LoadWindow> day = since(coarse, nowMs - DAY_POINTS * IoProfile.COARSE_MS);
    return new LoadReport(
        bucket,
        List.of(
            span("5m", since(fine, nowMs - IoProfile.COARSE_MS), IoProfile.COARSE_MS, bucket),
            span("1h", hour, MINUTES * MINUTE_MS, bucket),
            span(LoadReport.DAY, day, DAY_POINTS * IoProfile.COARSE_MS, bucket)),
        points(hour, MINUTE_MS, MINUTES, bucket),
        points(day, IoProfile.COARSE_MS, DAY_POINTS, bucket),
        buckets(hour),
        prefixes(bucket));
  }

  /** The intervals of a ring that began after this time, and the running one. */
  private List<LoadWindow> since(WindowRing ring, long fromMs) {
    List<LoadWindow> windows = new ArrayList<>(ring.since(fromMs + 1));
    windows.add(running);
    return windows;
  }

  private Span span(String name, List<LoadWindow> windows, long lengthMs, Optional<String> bucket) {
    LoadSum sum = new LoadSum();
    windows.forEach(window -> of(window, bucket).ifPresent(sum::add));
    return sum.span(name, nowMs - lengthMs, lengthMs / 1000.0);
  }

  private static Optional<Load> of(LoadWindow window, Optional<String> bucket) {
    return bucket.isEmpty()
        ? Optional.of(window.all())
        : Optional.ofNullable(window.buckets().get(bucket.orElseThrow()));
  }

  /** The last points of a chart, also those without requests. */
  private List<Point> points(
      List<LoadWindow> windows, long pointMs, int count, Optional<String> bucket) {
    Map<Long, LoadSum> sums = new HashMap<>();
    for (LoadWindow window : windows) {
      of(window, bucket)
          .ifPresent(load ->
              sums.computeIfAbsent(window.startMs() / pointMs, ignored -> new LoadSum()).add(load));
    }
    List<Point> points = new ArrayList<>();
    for (long point = nowMs / pointMs - count + 1; point <= nowMs / pointMs; point++) {
      LoadSum sum = sums.getOrDefault(point, new LoadSum());
      points.add(
          new Point(
              point * pointMs,
              sum.rates(pointMs / 1000.0),
              sum.errors(),
              sum.times(),
              sum.timeCounts()));
    }
    return points;
  }

  private static List<BucketLoad> buckets(List<LoadWindow> windows) {
    Map<String, LoadSum> sums = new HashMap<>();
    for (LoadWindow window : windows) {
      window
          .buckets()
          .forEach((name, load) -> sums.computeIfAbsent(name, ignored -> new LoadSum()).add(load));
    }
    return sums.entrySet().stream()
        .map(entry -> {
          LoadSum sum = entry.getValue();
          return new BucketLoad(entry.getKey(), sum.requests(), sum.bytes(), sum.errors());
        })
        .sorted(
            Comparator.comparingLong(BucketLoad::requests)
                .reversed()
                .thenComparing(BucketLoad::bucket))
        .toList();
  }

  private List<PrefixLoad> prefixes(Optional<String> bucket) {
    TopPrefixes all = new TopPrefixes();
    since(coarse, nowMs - MINUTES * MINUTE_MS).forEach(window -> all.add(window.prefixes()));
    return all.most(bucket, PREFIXES_MAX);
  }
}
