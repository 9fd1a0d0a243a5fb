package dev.tarn.targetnode.store.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The first 64 bytes of every file of the store: magic (8 characters), format version (4 bytes),
 * zero (4), required features (8), two values whose meaning depends on the magic (8 each), zeros,
 * and the CRC32C of all that. Numbers are big-endian. A reader that does not know the version or
 * one of the required features must not touch the file.
 *
 * @param magic 8 ASCII characters
 * @param version of the file's format
 * @param requiredFeatures one bit for each feature
 * @param first meaning by magic
 * @param second meaning by magic
 */
public record FormatHeader(
    String magic, int version, long requiredFeatures, long first, long second) {
  /** The length of a header in bytes. */
  public static final int LENGTH = 64;

  /** The version of all files. Entries of version 1 were not made of tagged fields. */
  public static final int VERSION = 2;

  private static final int CRC_AT = LENGTH - 4;

  /** A header of the present version that requires no features. */
  public static FormatHeader of(String magic, long first, long second) {
    return requiring(0, magic, first, second);
  }

  /** A header of the present version that requires the reader to know these features. */
  public static FormatHeader requiring(long features, String magic, long first, long second) {
    return new FormatHeader(magic, VERSION, features, first, second);
  }

  /** The header's bytes, ready to be read. */
  public ByteBuffer encode() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
    buffer.put(magic.getBytes(US_ASCII)).putInt(version).putInt(0);
    buffer.putLong(requiredFeatures).putLong(first).putLong(second);
    return buffer.putInt(CRC_AT, crc(buffer)).rewind();
  }

  /**
   * Decodes a header that requires no features.
   *
   * @param file the name for the message of the exception
   */
  public static FormatHeader decode(ByteBuffer buffer, String magic, String file)
      throws UnreadableFormatException {
    return decode(buffer, magic, 0, file);
  }

  /**
   * Decodes a header.
   *
   * @param features the features that the reader supports
   * @param file the name for the message of the exception
   */
  public static FormatHeader decode(ByteBuffer buffer, String magic, long features, String file)
      throws UnreadableFormatException {
    byte[] found = new byte[8];
    buffer.get(0, found);
    String text = new String(found, US_ASCII);
    if (!text.equals(magic) || buffer.getInt(CRC_AT) != crc(buffer)) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED,
          file + " does not start with a whole header of magic " + magic);
    }
    FormatHeader header =
        new FormatHeader(
            text, buffer.getInt(8), buffer.getLong(16), buffer.getLong(24), buffer.getLong(32));
    header.check(features, file);
    return header;
  }

  private void check(long features, String file) throws UnreadableFormatException {
    if (version != VERSION) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.OTHER_RELEASE,
          file
              + " has format version "
              + version
              + "; this program reads version "
              + VERSION
              + "; run the release that wrote it");
    }
    long unknown = requiredFeatures & ~features;
    if (unknown != 0) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.OTHER_RELEASE,
          file
              + " requires feature bit "
              + Long.numberOfTrailingZeros(unknown)
              + " of "
              + magic
              + ", which this program does not know; run the release that wrote it");
    }
  }

  private static int crc(ByteBuffer buffer) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().clear().limit(CRC_AT));
    return (int) crc.getValue();
  }
}
