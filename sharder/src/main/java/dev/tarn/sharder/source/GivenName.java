package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The parts of a member's name that a list gives. The planner decides about dots in key and
 * extension.
 *
 * @param key the sample's; null if the file's name gives it
 * @param file the name that gives the missing parts; the same for all members of one row
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
