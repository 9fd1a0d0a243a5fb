package dev.tarn.standalone.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: 500ms, 30s, 15m, 12h, 7d. */
public final class DurationText {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,12}) ?(ms|s|m|h|d)");

  private DurationText() {}

  /**
   * The duration that the text means.
   *
   * @throws IllegalArgumentException if it means none
   */
  public static Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no duration");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }

  /** In the greatest unit that shows it in whole numbers. */
  public static String show(Duration duration) {
    if (duration.isZero()) {
      return "0";
    }
    if (duration.toMillisPart() != 0) {
      return duration.toMillis() + "ms";
    }
    if (duration.toSecondsPart() != 0) {
      return duration.toSeconds() + "s";
    }
    if (duration.toMinutesPart() != 0) {
      return duration.toMinutes() + "m";
    }
    return duration.toHoursPart() != 0 ? duration.toHours() + "h" : duration.toDays() + "d";
  }
}
