package dev.tarn.sharder.diff;

import static java.util.Objects.requireNonNull;

/**
 * A sample that two datasets do not both have.
 *
 * @param key in the first dataset; of one that was added, in the second
 * @param newKey in the second dataset; of one that was not moved, the same
 */
public record Difference(Kind kind, String key, String newKey) {
  /** What has become of a sample. */
  public enum Kind {
    ADDED("added"),
    REMOVED("removed"),
    /** The key is the same, the data is not. */
    CHANGED("changed"),
    /** The data is the same, the key is not. */
    MOVED("moved");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Its name. */
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
