package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How long a cached object is believed before the backend is asked again.
 *
 * @param mode by what rule
 * @param timeToLive for {@link Mode#TTL}, positive and of whole milliseconds; zero for the others
 */
public record Freshness(Mode mode, Duration timeToLive) {
  /** By what rule a cached object is believed. */
  public enum Mode {
    /** For ever: the objects never change. */
    IMMUTABLE,
    /** For a time. */
    TTL,
    /** Never without asking the backend whether its ETag is still the same. */
    REVALIDATE
  }

  /** The default. */
  public static final Freshness REVALIDATE = new Freshness(Mode.REVALIDATE, Duration.ZERO);

  /** For objects that never change. */
  public static final Freshness IMMUTABLE = new Freshness(Mode.IMMUTABLE, Duration.ZERO);

  private static final int NANOS_PER_MILLISECOND = 1_000_000;

  public Freshness {
    requireNonNull(mode, "mode is null");
    requireNonNull(timeToLive, "timeToLive is null");
    if (timeToLive.toNanosPart() % NANOS_PER_MILLISECOND != 0) {
      throw new IllegalArgumentException(
          "freshness has a time to live of " + timeToLive + ", must be of whole milliseconds");
    }
    boolean positive = !timeToLive.isZero() && !timeToLive.isNegative();
    if (positive != (mode == Mode.TTL)) {
      throw new IllegalArgumentException(
          "freshness "
              + mode
              + " has a time to live of "
              + timeToLive
              + "; ttl needs a positive one, the others none");
    }
  }

  /** Believed for this long. */
  public static Freshness ttl(Duration timeToLive) {
    return new Freshness(Mode.TTL, timeToLive);
  }
}
