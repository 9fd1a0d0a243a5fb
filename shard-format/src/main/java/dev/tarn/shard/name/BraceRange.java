package dev.tarn.shard.name;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Expands a brace expression with two dots: a range of numbers or letters. */
final class BraceRange {
  private static final int MAXIMUM_NAMES = 10_000_000;
  private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final Pattern NUMBERS =
      Pattern.compile("(-?\\d+)\\.\\.(-?\\d+)(?:\\.\\.-?(\\d+))?");
  private static final Pattern CHARACTERS =
      Pattern.compile("([A-Za-z])\\.\\.([A-Za-z])(?:\\.\\.-?(\\d+))?");

  private BraceRange() {}

  /** Returns the range's elements in order; empty if the text is not a range. */
  static List<String> expand(String text) {
    Matcher numbers = NUMBERS.matcher(text);
    if (numbers.matches()) {
      return numbers(text, numbers);
    }
    Matcher characters = CHARACTERS.matcher(text);
    if (characters.matches()) {
      int first = LETTERS.indexOf(characters.group(1));
      int last = LETTERS.indexOf(characters.group(2));
      List<String> names = new ArrayList<>();
      for (long at : steps(text, first, last, characters.group(3))) {
        names.add(LETTERS.substring((int) at, (int) at + 1));
      }
      return names;
    }
    return List.of();
  }

  private static List<String> numbers(String text, Matcher matcher) {
    String first = matcher.group(1);
    String last = matcher.group(2);
    boolean padded = isPadded(first) || isPadded(last);
    int width = padded ? Math.max(first.length(), last.length()) : 0;
    List<String> names = new ArrayList<>();
    for (long number : steps(text, number(text, first), number(text, last), matcher.group(3))) {
      names.add(pad(number, width));
    }
    return names;
  }

  private static boolean isPadded(String number) {
    String digits = number.startsWith("-") ? number.substring(1) : number;
    return digits.length() > 1 && digits.startsWith("0");
  }

  private static String pad(long number, int width) {
    String digits = Long.toString(Math.abs(number));
    String sign = number < 0 ? "-" : "";
    return sign + "0".repeat(Math.max(0, width - sign.length() - digits.length())) + digits;
  }

  private static long number(String text, String digits) {
    BigInteger number = new BigInteger(digits);
    if (number.bitLength() > 62) {
      throw new IllegalArgumentException("range {" + text + "} counts to a number beyond 2^62");
    }
    return number.longValueExact();
  }

  private static List<Long> steps(String text, long first, long last, String stepText) {
    long step = Math.max(1, stepText == null ? 1 : number(text, stepText));
    long count = Math.abs(last - first) / step + 1;
    if (count > MAXIMUM_NAMES) {
      throw new IllegalArgumentException(
          "range {" + text + "} has more than " + MAXIMUM_NAMES + " members");
    }
    List<Long> numbers = new ArrayList<>((int) count);
    for (long i = 0; i < count; i++) {
      numbers.add(first <= last ? first + i * step : first - i * step);
    }
    return numbers;
  }
}
