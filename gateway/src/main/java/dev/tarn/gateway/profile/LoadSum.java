package dev.tarn.gateway.profile;

import dev.tarn.gateway.profile.LoadReport.Rates;
import dev.tarn.gateway.profile.LoadReport.Times;
import io.vertx.core.json.JsonArray;
import java.util.Arrays;
import java.util.List;

/** The sum of loads. It counts with 64 bits, because a day may have more requests than an int. */
public final class LoadSum {
  private static final int TABLES = 4;

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

  /** The sum of this and that of another gateway at the same time. */
  LoadSum beside(LoadSum other) {
    LoadSum sum = new LoadSum();
    for (LoadSum part : List.of(this, other)) {
      for (int table = 0; table < TABLES; table++) {
        long[] to = sum.table(table);
        long[] from = part.table(table);
        for (int i = 0; i < to.length; i++) {
          to[i] += from[i];
        }
      }
      sum.clientErrors += part.clientErrors;
      sum.serverErrors += part.serverErrors;
      sum.received += part.received;
      sum.sent += part.sent;
      sum.nanosMax = Math.max(sum.nanosMax, part.nanosMax);
      sum.peakRequests += part.peakRequests;
      sum.peakBytes += part.peakBytes;
    }
    return sum;
  }

  private long[] table(int number) {
    return switch (number) {
      case 0 -> kinds;
      case 1 -> sizes;
      case 2 -> objectSizes;
      default -> times;
    };
  }

  /** All counts, for {@link #of}: of each table the places and values that are not zero. */
  JsonArray document() {
    JsonArray document =
        new JsonArray()
            .add(clientErrors)
            .add(serverErrors)
            .add(received)
            .add(sent)
            .add(nanosMax)
            .add(peakRequests)
            .add(peakBytes);
    for (int number = 0; number < TABLES; number++) {
      JsonArray counts = new JsonArray();
      long[] table = table(number);
      for (int i = 0; i < table.length; i++) {
        if (table[i] != 0) {
          counts.add(i).add(table[i]);
        }
      }
      document.add(counts);
    }
    return document;
  }

  /**
   * Reads a document of another gateway.
   *
   * @throws RuntimeException if it is no such document
   */
  static LoadSum of(JsonArray document) {
    LoadSum sum = new LoadSum();
    sum.clientErrors = document.getLong(0);
    sum.serverErrors = document.getLong(1);
    sum.received = document.getLong(2);
    sum.sent = document.getLong(3);
    sum.nanosMax = document.getLong(4);
    sum.peakRequests = document.getLong(5);
    sum.peakBytes = document.getLong(6);
    for (int number = 0; number < TABLES; number++) {
      JsonArray counts = document.getJsonArray(7 + number);
      for (int i = 0; i < counts.size(); i += 2) {
        sum.table(number)[counts.getInteger(i)] = counts.getLong(i + 1);
      }
    }
    return sum;
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

  LoadReport.Span span(String name, long sinceMs, long seconds) {
    return new LoadReport.Span(
        name,
        sinceMs,
        seconds,
        rates((double) seconds),
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
