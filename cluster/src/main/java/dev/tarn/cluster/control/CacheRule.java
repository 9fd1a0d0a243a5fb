package dev.tarn.cluster.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;
import java.net.URLDecoder;
import java.util.Locale;
import java.util.Optional;

/**
 * How the cache treats the objects of a bucket whose keys begin with a prefix.
 *
 * @param prefix at most 1,024 bytes of UTF-8; empty for all keys
 * @param freshness of these objects; empty for that of the bucket
 */
public record CacheRule(String prefix, Mode mode, Optional<Freshness> freshness) {
  /** What is kept. */
  public enum Mode {
    /** Keeps the objects that are worth most. */
    NORMAL,
    /** Keeps nothing: reads and writes go past the cache. */
    BYPASS,
    /** Keeps each object that was read or written; other cached objects do not displace it. */
    PIN
  }

  private static final String PLAIN =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";

  /** A prefix whose bytes are all escaped, with mode and freshness. */
  private static final int TEXT_MAX = 3 * ObjectKey.BYTES_MAX + 64;

  /** The pattern of {@link #parse}, and of {@link #toString}. */
  static final String PATTERN =
      "(normal|bypass|pin)(=(" + Freshness.PATTERN + "))?:([a-zA-Z0-9/._-]|%[0-9A-F]{2})*";

  public CacheRule {
    requireNonNull(mode, "mode is null");
    requireNonNull(freshness, "freshness is null");
    int bytes = prefix.getBytes(UTF_8).length;
    if (bytes > ObjectKey.BYTES_MAX) {
      throw new IllegalArgumentException(
          "prefix of a cache rule has "
              + bytes
              + " bytes, must have at most "
              + ObjectKey.BYTES_MAX);
    }
    if (mode == Mode.BYPASS && freshness.isPresent()) {
      throw new IllegalArgumentException(
          "cache rule '" + prefix + "' bypasses the cache and has a freshness, must have none");
    }
  }

  /**
   * Parses the text of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text is another one
   */
  static CacheRule parse(String text) {
    int colon = text.indexOf(':');
    if (text.length() > TEXT_MAX || !text.matches(PATTERN)) {
      throw new IllegalArgumentException(
          "cache rule is '"
              + text.substring(0, Math.min(100, text.length()))
              + "', must be like pin:train/ or normal=15m:labels/");
    }
    String[] modeAndFreshness = text.substring(0, colon).split("=", 2);
    CacheRule rule =
        new CacheRule(
            URLDecoder.decode(text.substring(colon + 1), UTF_8),
            Mode.valueOf(modeAndFreshness[0].toUpperCase(Locale.ROOT)),
            modeAndFreshness.length == 2
                ? Optional.of(Freshness.parse(modeAndFreshness[1]))
                : Optional.empty());
    if (!rule.toString().equals(text)) {
      throw new IllegalArgumentException("cache rule is '" + text + "', must be '" + rule + "'");
    }
    return rule;
  }

  /**
   * The mode, and behind {@code =} the freshness if there is one; a colon and the encoded prefix.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(mode.name().toLowerCase(Locale.ROOT));
    freshness.ifPresent(own -> text.append('=').append(own));
    text.append(':');
    for (byte next : prefix.getBytes(UTF_8)) {
      if (PLAIN.indexOf(next) >= 0) {
        text.append((char) next);
      } else {
        text.append('%').append("%02X".formatted(next));
      }
    }
    return text.toString();
  }
}
