package dev.tarn.shard.manifest;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.index.ShardIndex;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern of shard names: one {@code %d}, or {@code %06d} for at least six digits, is replaced by
 * the number.
 *
 * @param text a relative name with the pattern
 */
public record ShardPattern(String text) {
  private static final Pattern NUMBER = Pattern.compile("%(?:0([1-9]|1[0-8]))?d");

  /** Every number of so many digits is an int. */
  private static final int NUMBER_DIGITS_MAX = 9;

  public ShardPattern {
    requireNonNull(text, "text is null");
    Matcher number = NUMBER.matcher(text);
    if (!number.find() || text.replaceFirst(NUMBER.pattern(), "").contains("%")) {
      throw new IllegalArgumentException(
          "pattern \""
              + text
              + "\": it needs one %d, or %06d for six digits, and no other %; such as "
              + "shard-%06d.tar");
    }
    for (String part : text.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw new IllegalArgumentException(
            "pattern \"" + text + "\": a name relative to the dataset, without . and .. in it");
      }
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".idx")
        || lower.endsWith(ShardIndex.SUFFIX)
        || text.startsWith(".")
        || text.equals(DatasetManifest.FILE_NAME)) {
      throw new IllegalArgumentException("pattern \"" + text + "\": the name means something else");
    }
  }

  /**
   * Returns a regular expression for the pattern's names with a prefix and a suffix; its group 1 is
   * the number.
   */
  public Pattern names(String prefix, String suffix) {
    Matcher number = NUMBER.matcher(text);
    if (!number.find()) {
      throw new IllegalStateException("a pattern has a number");
    }
    return Pattern.compile(
        Pattern.quote(prefix + text.substring(0, number.start()))
            + "(\\d{1,18})"
            + Pattern.quote(text.substring(number.end()) + suffix),
        Pattern.DOTALL);
  }

  /** Returns the number of the shard of a name; empty if no shard of the pattern has this name. */
  public OptionalInt number(String name) {
    // Most names of a listing are told apart by the first characters, without an expression.
    if (!name.regionMatches(0, text, 0, text.indexOf('%'))) {
      return OptionalInt.empty();
    }
    Matcher matcher = names("", "").matcher(name);
    if (!matcher.matches() || matcher.group(1).length() > NUMBER_DIGITS_MAX) {
      return OptionalInt.empty();
    }
    int number = Integer.parseInt(matcher.group(1));
    return name(number).equals(name) ? OptionalInt.of(number) : OptionalInt.empty();
  }

  /** Returns the name of a shard by its number. */
  public String name(int number) {
    return NUMBER
        .matcher(text)
        .replaceFirst(match -> String.format(Locale.ROOT, match.group(), number));
  }
}
