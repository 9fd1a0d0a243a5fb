package dev.tarn.transport.server;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts of the direct reads since the start. Safe for use by many threads. */
public final class DirectReadFigures {
  /** The outcome of a read. */
  public enum Outcome {
    /** All requested bytes were sent. */
    SERVED,
    /** A status and a sentence were sent instead. */
    REFUSED,
    /** The client disconnected before the end, or the bytes could not be read to their end. */
    BROKEN
  }

  private final Map<Outcome, LongAdder> counts = adders();
  private final Map<Outcome, LongAdder> nanos = adders();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder inFlight = new LongAdder();

  private static Map<Outcome, LongAdder> adders() {
    Map<Outcome, LongAdder> adders = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      adders.put(outcome, new LongAdder());
    }
    return Collections.unmodifiableMap(adders);
  }

  private static LongAdder of(Map<Outcome, LongAdder> adders, Outcome outcome) {
    return requireNonNull(adders.get(outcome), "outcome is null");
  }

  /** The number of reads with this outcome. */
  public long count(Outcome outcome) {
    return of(counts, outcome).sum();
  }

  /** The nanoseconds that reads with this outcome took, from the request's head to the end. */
  public long nanos(Outcome outcome) {
    return of(nanos, outcome).sum();
  }

  /**
   * The number of object bytes that sockets have taken, including those of reads that broke off.
   */
  public long sentBytes() {
    return sentBytes.sum();
  }

  /** Reads in progress. */
  public long inFlight() {
    return inFlight.sum();
  }

  void countBegin() {
    inFlight.increment();
  }

  void countEnd(Outcome outcome, long bytes, long tookNanos) {
    sentBytes.add(bytes);
    of(nanos, outcome).add(tookNanos);
    of(counts, outcome).increment();
    inFlight.decrement();
  }
}
