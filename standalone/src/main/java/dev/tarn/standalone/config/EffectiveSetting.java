package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

/**
 * A key with its effective value.
 *
 * @param key the key as written in the file
 * @param text the value as written in the file; empty if there is none
 * @param origin where the value was set; "default" if it was not set
 * @param secret whether the text must not be shown
 */
public record EffectiveSetting(String key, String text, String origin, boolean secret) {
  /** The origin of a value that was not set. */
  public static final String DEFAULT = "default";

  public EffectiveSetting {
    requireNonNull(key, "key is null");
    requireNonNull(text, "text is null");
    requireNonNull(origin, "origin is null");
  }

  /** The value, or stars in place of a secret. */
  public String shown() {
    return secret && !text.isEmpty() ? "****" : text;
  }
}
