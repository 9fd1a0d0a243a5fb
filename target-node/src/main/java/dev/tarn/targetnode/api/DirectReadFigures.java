package dev.tarn.targetnode.api;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What clients with tickets have read since the start. Safe for use by many threads. */
public final class DirectReadFigures {
  /** What became of a read. */
  public enum Outcome {
    /** The object's bytes went out, all that were asked for. */
    SERVED,
    /** A status and a sentence went out instead. */
    REFUSED,
    /** The client left before the end, or the bytes could not be read to their end. */
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

  /** Reads that ended so. */
  public long count(Outcome outcome) {
    return of(counts, outcome).sum();
  }

  /** How long those took that ended so, from the request's head to the end, in nanoseconds. */
  public long nanos(Outcome outcome) {
    return of(nanos, outcome).sum();
  }

  /** Bytes of objects that sockets have taken, also those of answers that broke off. */
  public long sentBytes() {
    return sentBytes.sum();
  }

  /** Reads that have begun and not ended. */
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
