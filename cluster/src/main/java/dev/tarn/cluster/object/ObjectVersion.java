package dev.tarn.cluster.object;

import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The version that the owner assigns to a commit. It is greater than any earlier version of the
 * same key, also after a change of the owner, because the map epoch comes first.
 *
 * @param mapEpoch the epoch of the cluster map under which the owner committed; not negative
 * @param clockMs the owner's hybrid clock in milliseconds since 1970: the wall clock, but never
 *     earlier than a time already assigned
 * @param sequence tells apart commits of one millisecond; not negative
 */
public record ObjectVersion(long mapEpoch, long clockMs, int sequence)
    implements Comparable<ObjectVersion> {
  /** The length of the text form: 16 + 16 + 8 hexadecimal digits. */
  public static final int TEXT_LENGTH = 40;

  /** The text by which S3 shows a null version. */
  public static final String NULL_TEXT = "null";

  private static final Comparator<ObjectVersion> ORDER =
      Comparator.comparingLong(ObjectVersion::mapEpoch)
          .thenComparingLong(ObjectVersion::clockMs)
          .thenComparingInt(ObjectVersion::sequence);

  public ObjectVersion {
    if (mapEpoch < 0 || clockMs < 0 || sequence < 0) {
      throw new IllegalArgumentException(
          "version has a negative part: " + mapEpoch + ", " + clockMs + ", " + sequence);
    }
  }

  /** The version as 40 lower-case hexadecimal digits, which sort like versions. */
  public String text() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(mapEpoch) + hex.toHexDigits(clockMs) + hex.toHexDigits(sequence);
  }

  /**
   * The version as S3 shows it: {@link #NULL_TEXT}, or its text.
   *
   * @param nullVersion whether it is a null version
   */
  public String textWhere(boolean nullVersion) {
    return nullVersion ? NULL_TEXT : text();
  }

  /** The version with exactly this text; empty if there is none. Upper case does not match. */
  public static Optional<ObjectVersion> ofText(String text) {
    try {
      return Optional.of(parse(text)).filter(version -> version.text().equals(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Parses the text of {@link #text()}.
   *
   * @throws IllegalArgumentException if it is not 40 hexadecimal digits
   */
  public static ObjectVersion parse(String text) {
    if (text.length() != TEXT_LENGTH) {
      throw new IllegalArgumentException(
          "version has " + text.length() + " characters, must have " + TEXT_LENGTH);
    }
    return new ObjectVersion(
        Long.parseUnsignedLong(text, 0, 16, 16),
        Long.parseUnsignedLong(text, 16, 32, 16),
        Integer.parseUnsignedInt(text, 32, 40, 16));
  }

  @Override
  public int compareTo(ObjectVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return text();
  }
}
