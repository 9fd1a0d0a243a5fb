package dev.tarn.gateway.http;

import static java.time.ZoneOffset.UTC;

import io.vertx.core.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;

/** Times as HTTP headers have them, to the second. */
public final class HttpDates {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(UTC);
  private static final long SECOND_MS = 1000;

  /**
   * Seconds that were formatted lately, each at its place: Last-Modified repeats as Date does,
   * since what is read together was often written together.
   */
  private static final Stamp[] RECENT = new Stamp[512];

  static {
    Arrays.fill(RECENT, new Stamp(Long.MIN_VALUE, HttpHeaders.createOptimized("")));
  }

  private HttpDates() {}

  /** The time as an RFC 1123 date, encoded. */
  public static CharSequence format(long timeMs) {
    long second = Math.floorDiv(timeMs, SECOND_MS);
    int place = Math.floorMod(second, RECENT.length);
    Stamp stamp = RECENT[place];
    if (stamp.second != second) {
      stamp =
          new Stamp(
              second, HttpHeaders.createOptimized(FORMAT.format(Instant.ofEpochSecond(second))));
      RECENT[place] = stamp;
    }
    return stamp.text;
  }

  /** The present time. */
  static CharSequence now() {
    return format(System.currentTimeMillis());
  }

  /** The time of an RFC 1123 date in milliseconds since 1970; empty for anything else. */
  public static OptionalLong parse(String text) {
    try {
      return OptionalLong.of(
          ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
              .toInstant()
              .toEpochMilli());
    } catch (DateTimeException e) {
      return OptionalLong.empty();
    }
  }

  /** Immutable, so that threads may pass it on through a plain array. */
  private record Stamp(long second, CharSequence text) {}
}
