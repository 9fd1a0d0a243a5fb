package dev.tarn.gateway.s3.operation;

import static java.time.ZoneOffset.UTC;

import java.time.Instant;
import java.time.format.DateTimeFormatter;

/** Times as documents have them. */
public final class Timestamps {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(UTC);

  private Timestamps() {}

  /** The time in ISO 8601 with milliseconds, in UTC. */
  public static String iso(long timeMs) {
    return FORMAT.format(Instant.ofEpochMilli(timeMs));
  }
}
