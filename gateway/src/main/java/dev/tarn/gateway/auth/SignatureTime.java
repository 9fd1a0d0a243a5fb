package dev.tarn.gateway.auth;

import dev.tarn.gateway.request.Headers;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The signing time that a request states.
 *
 * @param text {@code yyyyMMdd'T'HHmmss'Z'}
 * @param instant the same time
 */
record SignatureTime(String text, Instant instant) {
  private static final DateTimeFormatter TEXT =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /**
   * The time that was parsed last. Requests that arrive together were often signed in the same
   * second.
   */
  private static final AtomicReference<SignatureTime> LATEST =
      new AtomicReference<>(new SignatureTime("19700101T000000Z", Instant.EPOCH));

  /**
   * Reads x-amz-date, or Date if that is missing. Returns null if neither is present or the value
   * is not a time.
   */
  static @Nullable SignatureTime of(Headers headers) {
    String amzDate = headers.first("x-amz-date");
    String value = amzDate == null ? headers.first("date") : amzDate;
    if (value == null) {
      return null;
    }
    SignatureTime time = parse(value);
    return time == null ? parseHttpDate(value) : time;
  }

  /** Parses {@code yyyyMMdd'T'HHmmss'Z'}; null if the text has another form. */
  static @Nullable SignatureTime parse(String text) {
    SignatureTime known = LATEST.get();
    if (known.text.equals(text)) {
      return known;
    }
    SignatureTime time = read(text);
    if (time != null) {
      LATEST.set(time);
    }
    return time;
  }

  private static @Nullable SignatureTime read(String text) {
    if (text.length() != 16 || text.charAt(8) != 'T' || text.charAt(15) != 'Z') {
      return null;
    }
    for (int i = 0; i < 15; i++) {
      if (i != 8 && (text.charAt(i) < '0' || text.charAt(i) > '9')) {
        return null;
      }
    }
    try {
      LocalDateTime time =
          LocalDateTime.of(
              number(text, 0, 4),
              number(text, 4, 6),
              number(text, 6, 8),
              number(text, 9, 11),
              number(text, 11, 13),
              number(text, 13, 15));
      return new SignatureTime(text, time.toInstant(ZoneOffset.UTC));
    } catch (DateTimeException _) {
      return null;
    }
  }

  private static int number(String text, int start, int end) {
    return Integer.parseInt(text, start, end, 10);
  }

  private static @Nullable SignatureTime parseHttpDate(String text) {
    try {
      Instant instant = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
      return new SignatureTime(TEXT.format(instant), instant);
    } catch (DateTimeException _) {
      return null;
    }
  }

  /**
   * Whether the time is on this date.
   *
   * @param date {@code yyyyMMdd}
   */
  boolean isOn(String date) {
    return date.length() == 8 && text.startsWith(date);
  }
}
