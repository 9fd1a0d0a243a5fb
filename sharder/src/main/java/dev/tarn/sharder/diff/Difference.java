package dev.tarn.sharder.diff;

import static java.util.Objects.requireNonNull;

/**
 * A sample that differs between two datasets.
 *
 * @param key in the first dataset; for an added sample, in the second
 * @param newKey in the second dataset; the same as {@code key} unless the sample was moved
 */
public record Difference(Kind kind, String key, String newKey) {
  /** The kinds of differences. */
  public enum Kind {
    ADDED("added"),
    REMOVED("removed"),
    /** The key is the same, but the data differs. */
    CHANGED("changed"),
    /** The data is the same, but the key differs. */
    MOVED("moved");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Returns its name. */
    public String text() {
      return text;
    }
  }

  public Difference {
    requireNonNull(kind, "kind is null");
    requireNonNull(key, "key is null");
    requireNonNull(newKey, "newKey is null");
  }
}
