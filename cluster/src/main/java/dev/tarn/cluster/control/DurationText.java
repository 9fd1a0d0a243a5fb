package dev.tarn.cluster.control;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: 500ms, 30s, 15m, 12h, 7d. */
public final class DurationText {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,13}) ?(ms|s|m|h|d)");

  private DurationText() {}

  /**
   * Parses a duration.
   *
   * @throws IllegalArgumentException if the text is not 0 or a number with the unit ms, s, m, h or
   *     d
   */
  public static Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "duration is '" + text + "', must be such as 500ms or 15m");
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

  /** Writes the duration as a whole number of the largest possible unit. */
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
