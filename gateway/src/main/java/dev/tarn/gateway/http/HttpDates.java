package dev.tarn.gateway.http;

import static java.time.ZoneOffset.UTC;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalLong;

/** Times as HTTP headers have them, to the second. */
public final class HttpDates {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(UTC);
  private static final long SECOND_MS = 1000;

  private static volatile Stamp latest = new Stamp(Long.MIN_VALUE, "");

  private HttpDates() {}

  /** The time as an RFC 1123 date. */
  public static String format(long timeMs) {
    return FORMAT.format(Instant.ofEpochMilli(timeMs));
  }

  /** The present time, formatted once per second. */
  static String now() {
    long second = System.currentTimeMillis() / SECOND_MS;
    Stamp stamp = latest;
    if (stamp.second != second) {
      stamp = new Stamp(second, format(second * SECOND_MS));
      latest = stamp;
    }
    return stamp.text;
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

  private record Stamp(long second, String text) {}
}
