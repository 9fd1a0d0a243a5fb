package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

/**
 * A key with the value in force.
 *
 * @param key in the file's spelling
 * @param text the value as one would write it; empty where there is none
 * @param origin where it comes from; "default" where nobody set it
 * @param secret whether the text must not be shown
 */
public record EffectiveSetting(String key, String text, String origin, boolean secret) {
  /** The origin of what nobody set. */
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
