package dev.tarn.sharder.plan.option;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Groups files by a regular expression that matches the beginning of their names. The group {@code
 * key} is the sample's key. The extension is the group {@code ext}; without such a group, it is the
 * rest of the name without a leading dot, hyphen or underscore.
 *
 * @param text the regular expression
 * @param pattern the compiled text
 */
public record KeyPattern(String text, Pattern pattern) {
  private static final String KEY = "key";
  private static final String EXTENSION = "ext";

  public KeyPattern {
    if (!pattern.namedGroups().containsKey(KEY)) {
      throw new IllegalArgumentException(
          "\"" + text + "\" has no group named key, such as (?<key>.*)_[a-z]+[.]");
    }
  }

  /** Parses a regular expression. */
  public static KeyPattern of(String text) {
    try {
      return new KeyPattern(text, Pattern.compile(text, Pattern.DOTALL));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a regular expression: " + e.getDescription(), e);
    }
  }

  /** A key and an extension, in their original case. */
  public record Parts(String key, String extension) {}

  /** Returns the parts of a name; null if the pattern does not match, or if a part is empty. */
  public @Nullable Parts parts(String name) {
    Matcher matcher = pattern.matcher(name);
    if (!matcher.lookingAt()) {
      return null;
    }
    String key = matcher.group(KEY);
    String extension =
        pattern.namedGroups().containsKey(EXTENSION)
            ? matcher.group(EXTENSION)
            : withoutSeparator(name.substring(matcher.end()));
    return key == null || key.isEmpty() || extension == null || extension.isEmpty()
        ? null
        : new Parts(key, extension);
  }

  private static String withoutSeparator(String rest) {
    boolean separated = !rest.isEmpty() && ".-_".indexOf(rest.charAt(0)) >= 0;
    return separated ? rest.substring(1) : rest;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyPattern same && text.equals(same.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
