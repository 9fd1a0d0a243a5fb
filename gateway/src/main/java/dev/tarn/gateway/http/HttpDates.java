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

/** Times in the format of HTTP headers, with a resolution of one second. */
public final class HttpDates {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(UTC);
  private static final long SECOND_MS = 1000;

  /**
   * Recently formatted seconds, each at a fixed place. Date repeats within a second. Last-Modified
   * repeats too, because objects that are read together were often written together.
   */
  private static final Stamp[] RECENT = new Stamp[512];

  static {
    Arrays.fill(RECENT, new Stamp(Long.MIN_VALUE, HttpHeaders.createOptimized("")));
  }

  private HttpDates() {}

  /**
   * Formats a time as an RFC 1123 date, encoded.
   *
   * @param timeMs milliseconds since 1970
   */
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

  /** Parses an RFC 1123 date to milliseconds since 1970; empty if the text is not such a date. */
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

  /** Immutable, so that threads can share it through a plain array. */
  private record Stamp(long second, CharSequence text) {}
}
