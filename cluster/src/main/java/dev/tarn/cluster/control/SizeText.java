package dev.tarn.cluster.control;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sizes in bytes as people write them: 4096, 64KiB, 5GiB, 10MB. */
public final class SizeText {
  /** A pattern that each text matches. */
  static final String PATTERN = "[0-9]{1,18} ?([KMGTP]i?B|B)?";

  private static final Pattern SIZE = Pattern.compile("(\\d{1,18}) ?([KMGTP]i?B|B)?");
  private static final String PREFIXES = "KMGTP";
  private static final int BITS_PER_PREFIX = 10;

  private SizeText() {}

  /**
   * Parses a size.
   *
   * @throws IllegalArgumentException if the text is none
   * @throws ArithmeticException if the size is greater than a long
   */
  public static long parse(String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no size");
    }
    return Math.multiplyExact(Long.parseLong(matcher.group(1)), factor(matcher.group(2)));
  }

  private static long factor(@Nullable String unit) {
    if (unit == null || unit.equals("B")) {
      return 1;
    }
    int prefix = PREFIXES.indexOf(unit.charAt(0)) + 1;
    long step = unit.length() == 3 ? 1 << BITS_PER_PREFIX : 1000;
    long factor = 1;
    for (int i = 0; i < prefix; i++) {
      factor *= step;
    }
    return factor;
  }

  /** Writes a size as text that {@link #parse} reads, without a loss. */
  public static String show(Number size) {
    long rest = size.longValue();
    int prefix = 0;
    while (rest != 0 && rest % (1 << BITS_PER_PREFIX) == 0 && prefix < PREFIXES.length()) {
      rest >>= BITS_PER_PREFIX;
      prefix++;
    }
    return rest + (prefix == 0 ? "" : PREFIXES.charAt(prefix - 1) + "iB");
  }
}
