package dev.tarn.targetnode.store.residents;

import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * The time of the cache: a count of hundredths of a second that never jumps, whatever the wall
 * clock does. It begins anew after 497 days, so only differences have a meaning.
 */
public final class Ticks {
  private static final long NANOS = 10_000_000;
  private static final int BACK_MAX = 60 * 100;

  private Ticks() {}

  /** The clock of this process. */
  public static IntSupplier ofProcess() {
    long start = System.nanoTime();
    return () -> (int) ((System.nanoTime() - start) / NANOS);
  }

  /** The ticks of a duration. */
  public static int of(Duration duration) {
    return Math.toIntExact(duration.toNanos() / NANOS);
  }

  /**
   * The ticks from one time to a later one. Of two threads, the one that asked for the time first
   * may come second: a time that is a little earlier counts as the same.
   */
  static long between(int earlier, int later) {
    int ticks = later - earlier;
    return ticks < 0 && ticks > -BACK_MAX ? 0 : Integer.toUnsignedLong(ticks);
  }
}
