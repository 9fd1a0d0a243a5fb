package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What a list says of a member's name, key and extension each for itself: what either has dots for
 * is decided when the member is planned.
 *
 * @param key the sample's; null if the file's name gives it
 * @param file the name that gives what the others do not; of several members of one row the same
 * @param extension the member's; null if the file's name gives it
 */
public record GivenName(@Nullable String key, String file, @Nullable String extension) {
  public GivenName {
    requireNonNull(file, "file is null");
    if (key == null && extension == null) {
      throw new IllegalArgumentException(file + ": neither key nor extension is given");
    }
  }
}
