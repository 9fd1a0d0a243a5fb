package dev.tarn.gateway.s3.operation;

import static java.time.ZoneOffset.UTC;

import java.time.Instant;
import java.time.format.DateTimeFormatter;

/** Times in the format of documents. */
public final class Timestamps {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(UTC);

  private Timestamps() {}

  /**
   * Formats a time as ISO 8601 with milliseconds, in UTC.
   *
   * @param timeMs milliseconds since 1970
   */
  public static String iso(long timeMs) {
    return FORMAT.format(Instant.ofEpochMilli(timeMs));
  }
}
