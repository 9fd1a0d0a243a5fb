package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Locale;

/**
 * How long a cached object is fresh, so that it is served without a call to the backend.
 *
 * @param mode the rule
 * @param timeToLive for {@link Mode#TTL}, positive, of whole milliseconds, at most 36,500 days;
 *     zero for the others
 */
public record Freshness(Mode mode, Duration timeToLive) {
  /** The rule by which a cached object is fresh. */
  public enum Mode {
    /** Always: the objects never change. */
    IMMUTABLE,
    /** For a time after the last validation. */
    TTL,
    /** Never: each read validates the ETag at the backend. */
    REVALIDATE
  }

  /** The longest time to live: a century. */
  private static final Duration TIME_TO_LIVE_MAX = Duration.ofDays(36_500);

  /** The pattern of {@link #parse}, and of {@link #toString}. */
  static final String PATTERN = "immutable|revalidate|[1-9][0-9]{0,12}(ms|s|m|h|d)";

  /** Describes the text of {@link #parse}. */
  public static final String EXPECTATION =
      "immutable, revalidate or a time such as 15m, at most 36500d";

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
    if (timeToLive.compareTo(TIME_TO_LIVE_MAX) > 0) {
      throw new IllegalArgumentException(
          "freshness has a time to live of "
              + DurationText.show(timeToLive)
              + ", must be at most "
              + DurationText.show(TIME_TO_LIVE_MAX)
              + "; use immutable for objects that never change");
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

  /** Fresh for this time. */
  public static Freshness ttl(Duration timeToLive) {
    return new Freshness(Mode.TTL, timeToLive);
  }

  /**
   * Parses the text of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text is another one
   */
  public static Freshness parse(String text) {
    if (!text.matches(PATTERN)) {
      throw new IllegalArgumentException("freshness is '" + text + "', must be " + EXPECTATION);
    }
    return switch (text) {
      case "immutable" -> IMMUTABLE;
      case "revalidate" -> REVALIDATE;
      default -> ttl(DurationText.parse(text));
    };
  }

  /** {@code immutable}, {@code revalidate}, or the time to live such as {@code 15m}. */
  @Override
  public String toString() {
    return mode == Mode.TTL ? DurationText.show(timeToLive) : mode.name().toLowerCase(Locale.ROOT);
  }
}
