package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

/**
 * A value as written in its source.
 *
 * @param text the value
 * @param origin where it was written: FILE:LINE, an environment variable, a flag
 */
record Setting(String text, String origin) {
  Setting {
    requireNonNull(text, "text is null");
    requireNonNull(origin, "origin is null");
  }
}
