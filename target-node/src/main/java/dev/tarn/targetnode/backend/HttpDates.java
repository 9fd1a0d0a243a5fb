package dev.tarn.targetnode.backend;

import java.time.Instant;
import java.time.format.DateTimeFormatter;

/** Dates as HTTP headers have them. */
final class HttpDates {
  private HttpDates() {}

  static Instant parse(String text) {
    return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
  }
}
