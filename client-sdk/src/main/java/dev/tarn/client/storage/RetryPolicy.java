package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How often and when a failed request is sent again: exponential backoff with full jitter (a random
 * wait of up to a bound that doubles), as in "Exponential Backoff And Jitter" of the AWS
 * Architecture Blog.
 *
 * @param attemptsMax bound of the requests for one call; a stream starts again at 0 after bytes
 *     have arrived
 * @param firstDelayMax bound of the wait before the second attempt; doubles with each further
 *     attempt
 * @param delayMax bound of every wait
 */
public record RetryPolicy(int attemptsMax, Duration firstDelayMax, Duration delayMax) {
  /** Five attempts, from 100 ms to 5 s. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(5, Duration.ofMillis(100), Duration.ofSeconds(5));

  private static final int DOUBLINGS_MAX = 20;

  /** One attempt. */
  public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ZERO, Duration.ZERO);

  /** Checks the bounds. */
  public RetryPolicy {
    requireNonNull(firstDelayMax, "firstDelayMax is null");
    requireNonNull(delayMax, "delayMax is null");
    if (attemptsMax < 1 || attemptsMax > 100) {
      throw new IllegalArgumentException(
          "attemptsMax is %d, expected 1 to 100".formatted(attemptsMax));
    }
    if (firstDelayMax.isNegative() || delayMax.compareTo(firstDelayMax) < 0) {
      throw new IllegalArgumentException(
          "delays are %s and %s, expected 0 <= firstDelayMax <= delayMax"
              .formatted(firstDelayMax, delayMax));
    }
  }

  /**
   * The wait after a failed attempt.
   *
   * @param failures attempts that have failed, from 1
   * @param jitter a random number in [0, 1)
   */
  public Duration delay(int failures, double jitter) {
    Duration doubled = firstDelayMax.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS_MAX));
    Duration bound = doubled.compareTo(delayMax) < 0 ? doubled : delayMax;
    return Duration.ofMillis((long) (bound.toMillis() * jitter));
  }
}
