package dev.tarn.gateway.profile;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.http.ExchangeRecord;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/**
 * Records the load of this process: an hour in intervals of ten seconds, a day in intervals of five
 * minutes. Both have a fixed number of intervals, and each interval a fixed number of buckets and
 * prefixes: at most 16 MiB.
 *
 * <p>Threads record into stripes. When an interval is over, the stripes' parts are added up. Safe
 * for use by many threads.
 */
public final class IoProfile {
  static final long FINE_MS = 10_000;
  static final long COARSE_MS = 300_000;
  private static final int FINE_COUNT = 360;
  private static final int COARSE_COUNT = 288;
  private static final int STRIPES_MAX = 16;

  private final String id = UUID.randomUUID().toString();
  private final InstantSource clock;
  private final Stripe[] stripes;
  private final WindowRing fine = new WindowRing(FINE_COUNT, FINE_MS);
  private final WindowRing coarse = new WindowRing(COARSE_COUNT, COARSE_MS);

  /** The interval that is being recorded. All stripes are of this interval. */
  private long present;

  public IoProfile(InstantSource clock) {
    this.clock = requireNonNull(clock, "clock is null");
    this.present = now();
    this.stripes =
        new Stripe[Math.clamp(Runtime.getRuntime().availableProcessors(), 1, STRIPES_MAX)];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new Stripe(present);
    }
  }

  private long now() {
    return clock.millis() / FINE_MS;
  }

  /** Records a request that has ended. */
  public void record(ExchangeRecord record) {
    long now = now();
    Stripe stripe = stripes[(int) (Thread.currentThread().threadId() % stripes.length)];
    if (!stripe.add(record, now)) {
      advance(now);
      stripe.add(record, 0);
    }
  }

  /** Begins this interval, and adds up the one that was recorded until now. */
  private synchronized void advance(long now) {
    if (present >= now) {
      return;
    }
    LoadWindow ended = new LoadWindow(present, FINE_MS);
    for (Stripe stripe : stripes) {
      ended.add(stripe.begin(now));
    }
    ended.end();
    fine.at(ended.startMs()).addLoads(ended);
    coarse.at(ended.startMs()).add(ended);
    present = now;
  }

  /** Differs from that of any other process. */
  public String id() {
    return id;
  }

  /** What was recorded, of one bucket or of all. */
  public synchronized LoadTotals totals(Optional<String> bucket) {
    advance(now());
    LoadWindow running = new LoadWindow(present, FINE_MS);
    for (Stripe stripe : stripes) {
      stripe.addTo(running);
    }
    running.end();
    return new WindowTotals(fine, coarse, running, clock.millis()).of(bucket);
  }

  /** A part of the interval that is being recorded. */
  private static final class Stripe {
    private LoadWindow window;

    Stripe(long number) {
      this.window = new LoadWindow(number, FINE_MS);
    }

    /** Adds a request; false if the interval is older than this one. */
    synchronized boolean add(ExchangeRecord record, long now) {
      if (window.number() < now) {
        return false;
      }
      window.add(record);
      return true;
    }

    /** Begins an interval, and returns the one before. */
    synchronized LoadWindow begin(long number) {
      LoadWindow before = window;
      window = new LoadWindow(number, FINE_MS);
      return before;
    }

    synchronized void addTo(LoadWindow all) {
      all.add(window);
    }
  }
}
