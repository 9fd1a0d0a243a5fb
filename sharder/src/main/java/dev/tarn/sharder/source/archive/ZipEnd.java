package dev.tarn.sharder.source.archive;

import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The end record of a zip archive, which has the place of the directory.
 *
 * <p>commons-compress searches for the record too. It accepts one that data follows, so a cut
 * archive would pass for the last archive stored in it, and it ignores the directory's length.
 *
 * @param prefixLength the bytes before the archive in the file, such as a program that unpacks it
 * @param directoryEnd the offset in the file after the directory
 * @param directoryLength of the directory in bytes
 * @param members in the directory; modulo 65,536 without zip64
 */
record ZipEnd(
    long prefixLength, long directoryEnd, long directoryLength, long members, boolean isZip64) {
  private static final int MEMBERS_MODULUS = 1 << 16;

  /** The bytes at a file's end in which {@link #trailing} searches. */
  private static final int TRAILING_MAX = 1 << 20;

  private static final int MAGIC = 0x06054b50;
  private static final int LENGTH = 22;
  private static final int COMMENT_LENGTH_MAX = 0xffff;
  private static final int DISK_OFFSET = 4;
  private static final int MEMBERS_OFFSET = 10;
  private static final int DIRECTORY_LENGTH_OFFSET = 12;
  private static final int DIRECTORY_OFFSET_OFFSET = 16;
  private static final int COMMENT_LENGTH_OFFSET = 20;

  private static final int LOCATOR_MAGIC = 0x07064b50;
  private static final int LOCATOR_LENGTH = 20;
  private static final int LOCATOR_END_OFFSET = 8;

  private static final int ZIP64_MAGIC = 0x06064b50;
  private static final int ZIP64_LENGTH = 56;
  private static final int ZIP64_MEMBERS_OFFSET = 32;
  private static final int ZIP64_DIRECTORY_LENGTH_OFFSET = 40;
  private static final int ZIP64_DIRECTORY_OFFSET_OFFSET = 48;

  /** Returns whether a directory of this number of members fits this record. */
  boolean fits(long count) {
    return isZip64 ? count == members : count % MEMBERS_MODULUS == members;
  }

  /** Finds the record that ends with the file; returns null if there is none. */
  static @Nullable ZipEnd find(String archive, PositionedBytes bytes) throws IOException {
    int length = (int) Math.min(bytes.size(), LENGTH + COMMENT_LENGTH_MAX + LOCATOR_LENGTH);
    long start = bytes.size() - length;
    ByteBuffer tail = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.read(start, tail);
    for (int at = length - LENGTH; at >= 0; at--) {
      int comment = Short.toUnsignedInt(tail.getShort(at + COMMENT_LENGTH_OFFSET));
      if (tail.getInt(at) == MAGIC && at + LENGTH + comment == length) {
        return read(archive, bytes, tail, start, at);
      }
    }
    return null;
  }

  /**
   * Returns the number of bytes that follow an archive whose end {@link #find} does not find; -1 if
   * the end is missing. Only a record counts that the directory precedes where the record says:
   * that of an archive stored within another one does not.
   */
  static long trailing(PositionedBytes bytes) throws IOException {
    int length = (int) Math.min(bytes.size(), TRAILING_MAX);
    long start = bytes.size() - length;
    ByteBuffer tail = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.read(start, tail);
    for (int at = length - LENGTH; at >= 0; at--) {
      if (tail.getInt(at) == MAGIC) {
        long directory = Integer.toUnsignedLong(tail.getInt(at + DIRECTORY_OFFSET_OFFSET));
        long directoryLength = Integer.toUnsignedLong(tail.getInt(at + DIRECTORY_LENGTH_OFFSET));
        int end = at + LENGTH + Short.toUnsignedInt(tail.getShort(at + COMMENT_LENGTH_OFFSET));
        if (directory + directoryLength == start + at && end < length) {
          return (long) length - end;
        }
      }
    }
    return -1;
  }

  private static ZipEnd read(
      String archive, PositionedBytes bytes, ByteBuffer tail, long start, int at)
      throws IOException {
    if (tail.getShort(at + DISK_OFFSET) != 0 && tail.getShort(at + DISK_OFFSET) != -1) {
      throw new IOException(
          archive + ": one of several parts of a zip archive; join them first (zip -s 0)");
    }
    int locator = at - LOCATOR_LENGTH;
    if (locator >= 0 && tail.getInt(locator) == LOCATOR_MAGIC) {
      return readZip64(archive, bytes, start + locator, tail.getLong(locator + LOCATOR_END_OFFSET));
    }
    return of(
        archive,
        start + at,
        Integer.toUnsignedLong(tail.getInt(at + DIRECTORY_OFFSET_OFFSET)),
        Integer.toUnsignedLong(tail.getInt(at + DIRECTORY_LENGTH_OFFSET)),
        Short.toUnsignedLong(tail.getShort(at + MEMBERS_OFFSET)),
        false);
  }

  /** Reads the record of zip64: it precedes its locator, or is where the locator says. */
  private static ZipEnd readZip64(String archive, PositionedBytes bytes, long locator, long stated)
      throws IOException {
    for (long place : new long[] {locator - ZIP64_LENGTH, stated}) {
      ByteBuffer end = ByteBuffer.allocate(ZIP64_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
      if (place >= 0
          && place <= locator - ZIP64_LENGTH
          && bytes.read(place, end) == ZIP64_LENGTH
          && end.getInt(0) == ZIP64_MAGIC) {
        return of(
            archive,
            place,
            end.getLong(ZIP64_DIRECTORY_OFFSET_OFFSET),
            end.getLong(ZIP64_DIRECTORY_LENGTH_OFFSET),
            end.getLong(ZIP64_MEMBERS_OFFSET),
            true);
      }
    }
    throw new IOException(
        "%s at byte %d: the zip archive is corrupt: it has no zip64 end record; fetch it again"
            .formatted(archive, locator));
  }

  private static ZipEnd of(
      String archive, long end, long statedOffset, long length, long members, boolean isZip64)
      throws IOException {
    if (length < 0
        || members < 0
        || statedOffset < 0
        || length > end
        || statedOffset > end - length) {
      throw new IOException(
          "%s at byte %d: the zip archive is corrupt: its end says that the directory has %d bytes from byte %d; fetch it again"
              .formatted(archive, end, length, statedOffset));
    }
    return new ZipEnd(end - length - statedOffset, end, length, members, isZip64);
  }
}
