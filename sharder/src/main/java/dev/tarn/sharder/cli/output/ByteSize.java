package dev.tarn.sharder.cli.output;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes in human-readable form.
 *
 * @param bytes more than 0
 */
public record ByteSize(long bytes) {
  private static final Pattern FORMAT = Pattern.compile("(\\d{1,18})\\s*([A-Za-z]*)");
  private static final Map<String, Long> UNITS =
      Map.of(
          "",
          1L,
          "B",
          1L,
          "KB",
          1_000L,
          "MB",
          1_000_000L,
          "GB",
          1_000_000_000L,
          "TB",
          1_000_000_000_000L,
          "KIB",
          1L << 10,
          "MIB",
          1L << 20,
          "GIB",
          1L << 30,
          "TIB",
          1L << 40);

  public static ByteSize parse(String text) {
    Matcher matcher = FORMAT.matcher(text);
    Long unit = matcher.matches() ? UNITS.get(matcher.group(2).toUpperCase(Locale.ROOT)) : null;
    if (unit == null) {
      throw new TypeConversionException(
          "\"" + text + "\" is not a size: a number of bytes, or of KiB, MiB, GiB, such as 256MiB");
    }
    long number = Long.parseLong(matcher.group(1));
    if (number == 0 || Math.multiplyHigh(number, unit) != 0 || number * unit < 0) {
      throw new TypeConversionException("\"" + text + "\" is not between 1 byte and 8 EiB");
    }
    return new ByteSize(number * unit);
  }

  /** Formats bytes in binary units, with one decimal below 100 of a unit larger than a byte. */
  public static String print(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    String format = unit > 0 && value < 100 ? "%.1f %s" : "%.0f %s";
    return String.format(Locale.ROOT, format, value, units[unit]);
  }
}
