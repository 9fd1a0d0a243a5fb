package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of whole names as in Python's fnmatch: {@code *} is any characters, slashes too, {@code
 * ?} any one, {@code [abc]} one of these, {@code [!abc]} one other; all others are themselves.
 *
 * @param text the pattern
 * @param pattern the same as a regular expression
 */
public record Glob(String text, Pattern pattern) {
  public Glob {
    requireNonNull(text, "text is null");
    requireNonNull(pattern, "pattern is null");
  }

  /** Reads a pattern. */
  public static Glob of(String text) {
    StringBuilder expression = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int end = c == '[' ? text.indexOf(']', i + 2) : -1;
      if (c == '*') {
        expression.append(".*");
      } else if (c == '?') {
        expression.append('.');
      } else if (end > 0) {
        expression.append(oneOf(text.substring(i + 1, end)));
        i = end;
      } else {
        expression.append(Pattern.quote(String.valueOf(c)));
      }
    }
    try {
      return new Glob(text, Pattern.compile(expression.toString(), Pattern.DOTALL));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("\"" + text + "\": " + e.getDescription(), e);
    }
  }

  private static String oneOf(String characters) {
    boolean others = characters.startsWith("!");
    String escaped = characters.substring(others ? 1 : 0).replaceAll("[\\\\\\[\\]^&]", "\\\\$0");
    return (others ? "[^" : "[") + escaped + "]";
  }

  /** Whether a whole name is as the pattern says. */
  public boolean matches(String name) {
    return pattern.matcher(name).matches();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Glob same && text.equals(same.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
