package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

/**
 * A pattern in which {@code *} stands for any characters, also none and also slashes, and {@code ?}
 * for one.
 *
 * @param pattern with its wildcards
 */
record Glob(String pattern) {
  Glob {
    requireNonNull(pattern, "pattern is null");
  }

  /** Whether all of the text fits. Takes at most the product of both lengths in steps. */
  boolean fits(String text) {
    int[] wanted = pattern.codePoints().toArray();
    int[] given = text.codePoints().toArray();
    int at = 0;
    int next = 0;
    int star = -1;
    int starAt = 0;
    while (at < given.length) {
      if (next < wanted.length && wanted[next] == '*') {
        star = next++;
        starAt = at;
      } else if (next < wanted.length && (wanted[next] == '?' || wanted[next] == given[at])) {
        next++;
        at++;
      } else if (star >= 0) {
        next = star + 1;
        at = ++starAt;
      } else {
        return false;
      }
    }
    while (next < wanted.length && wanted[next] == '*') {
      next++;
    }
    return next == wanted.length;
  }
}
