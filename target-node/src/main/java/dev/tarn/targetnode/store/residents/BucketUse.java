package dev.tarn.targetnode.store.residents;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/**
 * How the entries of a bucket are used, from a sample of their references: the mean interval
 * between references of an entry, how long entries are usually idle, and when the last read was.
 * Safe for use by many threads. A thread that finds the sample in use skips it.
 */
public final class BucketUse {
  /** The mean interval is known after so many intervals. */
  private static final int KNOWN_INTERVALS = 8;

  /** References lose their weight by e after so many mean intervals. */
  private static final double MEMORY_INTERVALS = 8;

  /** The part of the intervals that is longer than the usual greatest. */
  private static final double UNUSUAL = 0.01;

  private static final double IDLE_MARGIN = 1.2;
  private static final int IDLE_UPDATE_REFERENCES = 64;

  /** Keys are dropped after this time while the intervals are unknown. */
  private static final double FORGET_UNKNOWN_TICKS = 48.0 * 3600 * 100;

  private static final int BINS = 112;
  private static final double BIN_LOG_WIDTH = Math.log(2) / 4;
  private static final int FIRST_BIN_TICKS = 100;

  /** A key that is followed. It is live until it has been idle for unusually long. */
  private static final class Key {
    private int last;
    private boolean live = true;

    Key(int now) {
      last = now;
    }
  }

  private final int number;
  private final BucketCache cache;
  private final IntSupplier keysMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<Long, Key> keys = new LinkedHashMap<>(16, 0.75f, true);
  private final double[] intervals = new double[BINS];
  private int live;
  private int updated;
  private double exposure;
  private double count;
  private double counted;
  private int sinceIdleUpdate;

  private volatile boolean wasRead;
  private volatile int firstRead;
  private volatile int lastRead;
  private volatile double meanInterval = Double.POSITIVE_INFINITY;
  private volatile double usualIdleMax = Double.POSITIVE_INFINITY;
  private volatile boolean known;

  /** Keys with one of these bits are not followed. */
  private volatile long mask;

  /**
   * Entries of a bucket that were not used.
   *
   * @param keysMax how many keys are followed; of larger buckets it is a hashed part
   */
  BucketUse(int number, BucketCache cache, IntSupplier keysMax) {
    this.number = number;
    this.cache = cache;
    this.keysMax = keysMax;
  }

  /** The number by which entries name the bucket. */
  int number() {
    return number;
  }

  /** What the bucket has. */
  BucketCache cache() {
    return cache;
  }

  /** Whether these are the entries that are pinned. */
  boolean isPinned() {
    return cache.hasPins() && cache.pinned() == this;
  }

  /** Whether enough intervals are known to estimate more. */
  boolean isKnown() {
    return known;
  }

  /** The mean ticks between two references of an entry; infinite if none was seen. */
  double meanInterval() {
    return meanInterval;
  }

  /** Few entries that are read again have been idle for longer; in ticks. */
  double usualIdleMax() {
    return usualIdleMax;
  }

  /**
   * Whether the bucket has not been read for half a mean interval.
   *
   * @param pauseTicksMin and not for this time
   */
  boolean pauses(int now, int pauseTicksMin) {
    if (!wasRead) {
      return false;
    }
    double span = known ? meanInterval : Ticks.between(firstRead, lastRead);
    return Ticks.between(lastRead, now) > Math.max(pauseTicksMin, span / 2);
  }

  /** An entry is read. */
  void read(long hash, int now, int oneReferenceTicks) {
    if (!wasRead) {
      firstRead = now;
    }
    if (!wasRead || lastRead != now) {
      lastRead = now;
      wasRead = true;
    }
    touch(hash, now, oneReferenceTicks, true);
  }

  /** An entry is written: it can be read from now on. */
  void written(long hash, int now) {
    touch(hash, now, 0, false);
  }

  /** Writes what the sample has shown, without its keys. */
  void writeTo(DataOutput out, int now) throws IOException {
    lock.lock();
    try {
      out.writeBoolean(wasRead);
      out.writeInt(now - firstRead);
      out.writeInt(now - lastRead);
      out.writeDouble(exposure);
      out.writeDouble(count);
      out.writeDouble(counted);
      out.writeDouble(usualIdleMax);
      for (double bin : intervals) {
        out.writeDouble(bin);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Reads what {@link #writeTo} wrote, as if it had been now. */
  void readFrom(DataInput in, int now) throws IOException {
    lock.lock();
    try {
      wasRead = in.readBoolean();
      firstRead = now - in.readInt();
      lastRead = now - in.readInt();
      exposure = in.readDouble();
      count = in.readDouble();
      counted = in.readDouble();
      usualIdleMax = in.readDouble();
      for (int bin = 0; bin < BINS; bin++) {
        intervals[bin] = in.readDouble();
      }
      updateMean();
    } finally {
      lock.unlock();
    }
  }

  private void touch(long hash, int now, int oneReferenceTicks, boolean read) {
    if ((hash & mask) != 0 || !lock.tryLock()) {
      return;
    }
    try {
      advance(now);
      Key key = keys.get(hash);
      if (key == null) {
        keys.put(hash, new Key(now));
        live++;
      } else if (read && Ticks.between(key.last, now) > oneReferenceTicks) {
        referenced(key, now);
      }
      updateMean();
      forgetKeys(now);
    } finally {
      lock.unlock();
    }
  }

  private void updateMean() {
    if (count > 0) {
      meanInterval = exposure / count;
      known = counted >= KNOWN_INTERVALS;
    }
  }

  /** Counts the time for which the live keys could have been read, and lets old counts fade. */
  private void advance(int now) {
    long ticks = keys.isEmpty() ? 0 : Ticks.between(updated, now);
    updated = now;
    if (ticks == 0) {
      return;
    }
    double kept = known ? Math.exp(-ticks / (MEMORY_INTERVALS * meanInterval)) : 1;
    exposure = exposure * kept + (double) live * ticks;
    count *= kept;
    for (int bin = 0; bin < BINS && kept < 1; bin++) {
      intervals[bin] *= kept;
    }
  }

  private void referenced(Key key, int now) {
    intervals[bin(Ticks.between(key.last, now))]++;
    count++;
    counted++;
    if (!key.live) {
      key.live = true;
      live++;
    }
    key.last = now;
    if (counted >= KNOWN_INTERVALS && sinceIdleUpdate++ % IDLE_UPDATE_REFERENCES == 0) {
      updateUsualIdle(now);
    }
  }

  private void updateUsualIdle(int now) {
    double all = 0;
    for (double bin : intervals) {
      all += bin;
    }
    double longer = 0;
    int bin = BINS - 1;
    while (bin > 0) {
      longer += intervals[bin];
      if (longer > all * UNUSUAL) {
        break;
      }
      bin--;
    }
    double idle = IDLE_MARGIN * endOf(bin);
    usualIdleMax = idle;
    for (Key key : keys.values()) {
      if (Ticks.between(key.last, now) <= idle) {
        break;
      }
      if (key.live) {
        key.live = false;
        live--;
      }
    }
  }

  private void forgetKeys(int now) {
    double forget = known ? Math.max(2 * usualIdleMax, 6 * meanInterval) : FORGET_UNKNOWN_TICKS;
    Iterator<Key> oldest = keys.values().iterator();
    while (oldest.hasNext()) {
      Key key = oldest.next();
      if (Ticks.between(key.last, now) <= forget) {
        break;
      }
      live -= key.live ? 1 : 0;
      oldest.remove();
    }
    if (keys.size() > keysMax.getAsInt()) {
      halveSample();
    }
  }

  private void halveSample() {
    mask = (mask << 1) | 1;
    Iterator<Map.Entry<Long, Key>> all = keys.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Long, Key> key = all.next();
      if ((key.getKey() & mask) != 0) {
        live -= key.getValue().live ? 1 : 0;
        all.remove();
      }
    }
    exposure /= 2;
    count /= 2;
    for (int bin = 0; bin < BINS; bin++) {
      intervals[bin] /= 2;
    }
  }

  private static int bin(long ticks) {
    return ticks < FIRST_BIN_TICKS
        ? 0
        : Math.min(
            BINS - 1, 1 + (int) (Math.log((double) ticks / FIRST_BIN_TICKS) / BIN_LOG_WIDTH));
  }

  private static double endOf(int bin) {
    return FIRST_BIN_TICKS * Math.exp(BIN_LOG_WIDTH * bin);
  }
}
