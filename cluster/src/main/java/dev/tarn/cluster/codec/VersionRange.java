package dev.tarn.cluster.codec;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The versions of a protocol that a process speaks. Two processes use the newest version that both
 * speak, so neighbouring releases work together.
 *
 * @param min the oldest version, at least 1
 * @param max the newest version, at most {@link #MAX}
 */
public record VersionRange(int min, int max) {
  /** The greatest version; one byte of a message names it. */
  public static final int MAX = 127;

  /** The encoding of ranges. */
  public static final Codec<VersionRange> CODEC =
      Codec.of(
          "version range",
          (out, range) -> out.number(1, range.min()).number(2, range.max()),
          in -> new VersionRange(in.integer(1), in.integer(2)));

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,3})-([0-9]{1,3})");

  public VersionRange {
    if (min < 1 || max < min || max > MAX) {
      throw new IllegalArgumentException(
          "versions are " + min + " to " + max + ", must be an ascending range of 1 to " + MAX);
    }
  }

  /**
   * Parses {@code 2-3}, as a header has it.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static VersionRange parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("versions must be of the form MIN-MAX");
    }
    return new VersionRange(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /** As {@link #parse} reads it. */
  public String text() {
    return min + "-" + max;
  }

  /** Whether this version is spoken. */
  public boolean contains(int version) {
    return min <= version && version <= max;
  }

  /** The newest version that both speak; empty if there is none. */
  public OptionalInt newestShared(VersionRange other) {
    int newest = Math.min(max, other.max);
    return newest >= Math.max(min, other.min) ? OptionalInt.of(newest) : OptionalInt.empty();
  }

  /**
   * The problem of two processes that share no version, and its remedy.
   *
   * @param protocol the kind of versions
   * @param peer the other process, with the versions {@code other}
   */
  public String mismatch(String protocol, String peer, VersionRange other) {
    return peer
        + " speaks the "
        + protocol
        + " versions "
        + other
        + ", this process "
        + this
        + "; update "
        + (other.max < min ? peer : "this process");
  }

  @Override
  public String toString() {
    return min == max ? Integer.toString(min) : min + " to " + max;
  }
}
