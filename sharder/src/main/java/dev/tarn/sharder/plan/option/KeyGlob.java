package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of whole names as in Python's fnmatch: {@code *} matches any characters including
 * slashes, {@code ?} any single character, {@code [abc]} one of these, {@code [!abc]} any other
 * single character. All other characters match themselves.
 *
 * @param text the pattern
 * @param pattern the equivalent regular expression
 */
public record KeyGlob(String text, Pattern pattern) {
  public KeyGlob {
    requireNonNull(text, "text is null");
    requireNonNull(pattern, "pattern is null");
  }

  /** Parses a pattern. */
  public static KeyGlob of(String text) {
    StringBuilder expression = new StringBuilder();
    int end;
    for (int i = 0; i < text.length(); i = end) {
      int c = text.codePointAt(i);
      end = i + Character.charCount(c);
      int close = c == '[' ? close(text, end) : -1;
      if (c == '*') {
        expression.append(".*");
      } else if (c == '?') {
        expression.append('.');
      } else if (close > 0) {
        expression.append(oneOf(text.substring(end, close)));
        end = close + 1;
      } else {
        expression.append(Pattern.quote(text.substring(i, end)));
      }
    }
    try {
      return new KeyGlob(text, Pattern.compile(expression.toString(), Pattern.DOTALL));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("\"" + text + "\": " + e.getDescription(), e);
    }
  }

  /**
   * Returns the end of a set that starts at an index, or -1; a leading bracket belongs to the set.
   */
  private static int close(String text, int start) {
    return text.indexOf(']', start + (text.startsWith("!", start) ? 2 : 1));
  }

  private static String oneOf(String characters) {
    boolean others = characters.startsWith("!");
    String escaped = characters.substring(others ? 1 : 0).replaceAll("[\\\\\\[\\]^&]", "\\\\$0");
    return (others ? "[^" : "[") + escaped + "]";
  }

  /** Returns whether a whole name matches the pattern. */
  public boolean matches(String name) {
    return pattern.matcher(name).matches();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyGlob same && text.equals(same.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
