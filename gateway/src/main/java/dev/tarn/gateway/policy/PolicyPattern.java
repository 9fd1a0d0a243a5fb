package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

/**
 * A pattern with wildcards: {@code *} matches any characters, including slashes, or none; {@code ?}
 * matches one character.
 *
 * @param pattern with its wildcards
 */
record PolicyPattern(String pattern) {
  private static final int NONE = -1;

  PolicyPattern {
    requireNonNull(pattern, "pattern is null");
  }

  /** Whether the whole text matches. Takes at most as many steps as the product of both lengths. */
  boolean fits(String text) {
    int at = 0;
    int next = 0;
    int star = -1;
    int starAt = 0;
    while (at < text.length()) {
      int given = text.codePointAt(at);
      int wanted = next < pattern.length() ? pattern.codePointAt(next) : NONE;
      if (wanted == '*') {
        star = next++;
        starAt = at;
      } else if (wanted == '?' || wanted == given) {
        next += Character.charCount(wanted);
        at += Character.charCount(given);
      } else if (star >= 0) {
        next = star + 1;
        starAt += Character.charCount(text.codePointAt(starAt));
        at = starAt;
      } else {
        return false;
      }
    }
    while (next < pattern.length() && pattern.charAt(next) == '*') {
      next++;
    }
    return next == pattern.length();
  }
}
