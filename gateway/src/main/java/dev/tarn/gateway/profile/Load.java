package dev.tarn.gateway.profile;

import dev.tarn.gateway.http.ExchangeRecord;

/** What the requests of an interval were, of one bucket or of all. Its user locks it. */
final class Load {
  final int[] requests = new int[RequestKind.COUNT];
  final int[] sizes = new int[Bins.SIZES];
  final int[] objectSizes = new int[Bins.SIZES];
  final int[] times = new int[RequestKind.TIME_CLASSES * Bins.TIMES];
  int clientErrors;
  int serverErrors;
  long received;
  long sent;
  long nanosMax;

  /** The requests and the bytes of the busiest ten seconds. */
  int peakRequests;

  long peakBytes;

  void add(RequestKind kind, ExchangeRecord record) {
    requests[kind.place()]++;
    if (record.status() >= 500 || record.status() == 0) {
      serverErrors++;
    } else if (record.status() >= 400) {
      clientErrors++;
    }
    received += record.bytesIn();
    sent += record.bytesOut();
    long duration = record.durationNanos();
    nanosMax = Math.max(nanosMax, duration);
    times[kind.timeClass() * Bins.TIMES + Bins.ofTime(duration)]++;
    if (kind == RequestKind.READ || kind == RequestKind.WRITE) {
      sizes[Bins.ofSize(Math.max(record.bytesIn(), record.bytesOut()))]++;
    }
    if (kind == RequestKind.READ && record.objectBytes() >= 0) {
      objectSizes[Bins.ofSize(record.objectBytes())]++;
    }
  }

  /** Adds the requests of another part of the same interval, or of another interval. */
  void add(Load other) {
    add(requests, other.requests);
    add(sizes, other.sizes);
    add(objectSizes, other.objectSizes);
    add(times, other.times);
    clientErrors += other.clientErrors;
    serverErrors += other.serverErrors;
    received += other.received;
    sent += other.sent;
    nanosMax = Math.max(nanosMax, other.nanosMax);
    peakRequests = Math.max(peakRequests, other.peakRequests);
    peakBytes = Math.max(peakBytes, other.peakBytes);
  }

  /** The interval is over, and is one of ten seconds: it is its own peak. */
  void end() {
    int all = 0;
    for (int ofKind : requests) {
      all += ofKind;
    }
    peakRequests = all;
    peakBytes = received + sent;
  }

  private static void add(int[] to, int[] from) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }
}
