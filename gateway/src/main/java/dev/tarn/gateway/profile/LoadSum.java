package dev.tarn.gateway.profile;

import dev.tarn.gateway.profile.LoadReport.Rates;
import dev.tarn.gateway.profile.LoadReport.Times;
import java.util.Arrays;
import java.util.List;

/** The sum of loads. It counts with 64 bits, because a day may have more requests than an int. */
final class LoadSum {
  private final long[] kinds = new long[RequestKind.COUNT];
  private final long[] sizes = new long[Bins.SIZES];
  private final long[] objectSizes = new long[Bins.SIZES];
  private final long[] times = new long[RequestKind.TIME_CLASSES * Bins.TIMES];
  private long clientErrors;
  private long serverErrors;
  private long received;
  private long sent;
  private long nanosMax;
  private long peakRequests;
  private long peakBytes;

  void add(Load load) {
    add(kinds, load.requests);
    add(sizes, load.sizes);
    add(objectSizes, load.objectSizes);
    add(times, load.times);
    clientErrors += load.clientErrors;
    serverErrors += load.serverErrors;
    received += load.received;
    sent += load.sent;
    nanosMax = Math.max(nanosMax, load.nanosMax);
    peakRequests = Math.max(peakRequests, load.peakRequests);
    peakBytes = Math.max(peakBytes, load.peakBytes);
  }

  private static void add(long[] to, int[] from) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }

  long requests() {
    return Arrays.stream(kinds).sum();
  }

  long bytes() {
    return received + sent;
  }

  long errors() {
    return clientErrors + serverErrors;
  }

  Rates rates(double seconds) {
    double peakSeconds = IoProfile.FINE_MS / 1000.0;
    return new Rates(
        requests() / seconds,
        peakRequests / peakSeconds,
        bytes() / seconds,
        peakBytes / peakSeconds);
  }

  LoadReport.Span span(String name, long sinceMs, double seconds) {
    return new LoadReport.Span(
        name,
        sinceMs,
        rates(seconds),
        list(kinds),
        clientErrors,
        serverErrors,
        received,
        sent,
        times(RequestKind.READ.timeClass(), 1),
        times(RequestKind.WRITE.timeClass(), 1),
        times(),
        list(sizes),
        list(objectSizes),
        timeCounts());
  }

  /** The times of all requests. */
  Times times() {
    return times(0, RequestKind.TIME_CLASSES);
  }

  private Times times(int firstClass, int count) {
    long[] bins = bins(firstClass, count);
    double max = nanosMax / 1e6;
    return new Times(quantile(bins, 0.5, max), quantile(bins, 0.99, max), quantile(bins, 1, max));
  }

  /** How many requests took as long as each bin says. */
  List<Long> timeCounts() {
    return list(bins(0, RequestKind.TIME_CLASSES));
  }

  private long[] bins(int firstClass, int count) {
    long[] bins = new long[Bins.TIMES];
    for (int i = 0; i < count * Bins.TIMES; i++) {
      bins[i % Bins.TIMES] += times[firstClass * Bins.TIMES + i];
    }
    return bins;
  }

  /** The bound of the bin that has the quantile; at most the greatest time. */
  private static double quantile(long[] bins, double share, double max) {
    long all = Arrays.stream(bins).sum();
    long counted = 0;
    for (int bin = 0; bin < bins.length; bin++) {
      counted += bins[bin];
      if (counted > 0 && counted >= share * all) {
        return Math.min(max, Bins.timeBoundMs(bin));
      }
    }
    return 0;
  }

  private static List<Long> list(long[] counts) {
    return Arrays.stream(counts).boxed().toList();
  }
}
