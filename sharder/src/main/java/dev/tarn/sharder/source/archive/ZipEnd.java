package dev.tarn.sharder.source.archive;

import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What stands at a zip archive's end: where its directory is.
 *
 * @param directoryOffset where the directory begins in the file
 * @param directoryLength how many bytes it has
 * @param members how many it names; without zip64 the number is written modulo 65,536
 * @param isZip64 whether the archive has the end record of zip64
 * @param prefixLength what stands before the archive in the file, such as a program that unpacks it
 */
record ZipEnd(
    long directoryOffset, long directoryLength, long members, boolean isZip64, long prefixLength) {
  private static final int MEMBERS_MODULUS = 1 << 16;

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

  private static final int LARGE_MAGIC = 0x06064b50;
  private static final int LARGE_LENGTH = 56;
  private static final int LARGE_MEMBERS_OFFSET = 32;
  private static final int LARGE_DIRECTORY_LENGTH_OFFSET = 40;
  private static final int LARGE_DIRECTORY_OFFSET_OFFSET = 48;

  /** Whether a directory of so many members is the one that this is the end of. */
  boolean fits(long count) {
    return isZip64 ? count == members : count % MEMBERS_MODULUS == members;
  }

  static ZipEnd find(String archive, PositionedBytes bytes) throws IOException {
    ZipEnd end = look(archive, bytes);
    if (end == null) {
      throw new IOException(
          "%s at byte %d: the zip archive is cut short: the directory at its end is missing;"
                  .formatted(archive, bytes.size())
              + " fetch it again");
    }
    return end;
  }

  /** Null if the file does not end as a zip archive does. */
  static @Nullable ZipEnd look(String archive, PositionedBytes bytes) throws IOException {
    int length = (int) Math.min(bytes.size(), LENGTH + COMMENT_LENGTH_MAX + LOCATOR_LENGTH);
    long start = bytes.size() - length;
    ByteBuffer tail = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.read(start, tail);
    for (int at = length - LENGTH; at >= 0; at--) {
      int comment = Short.toUnsignedInt(tail.getShort(at + COMMENT_LENGTH_OFFSET));
      if (tail.getInt(at) == MAGIC && at + LENGTH + comment == length) {
        return at(archive, bytes, tail, start, at);
      }
    }
    return null;
  }

  private static ZipEnd at(
      String archive, PositionedBytes bytes, ByteBuffer tail, long start, int at)
      throws IOException {
    if (tail.getShort(at + DISK_OFFSET) != 0 && tail.getShort(at + DISK_OFFSET) != -1) {
      throw new IOException(
          archive + ": one of several parts of a zip archive: join them first, zip -s 0 does");
    }
    int locator = at - LOCATOR_LENGTH;
    if (locator >= 0 && tail.getInt(locator) == LOCATOR_MAGIC) {
      return large(archive, bytes, start + locator, tail.getLong(locator + LOCATOR_END_OFFSET));
    }
    return of(
        archive,
        start + at,
        false,
        Integer.toUnsignedLong(tail.getInt(at + DIRECTORY_OFFSET_OFFSET)),
        Integer.toUnsignedLong(tail.getInt(at + DIRECTORY_LENGTH_OFFSET)),
        Short.toUnsignedLong(tail.getShort(at + MEMBERS_OFFSET)));
  }

  /** The record of zip64 stands before its locator, or where that says if nothing precedes. */
  private static ZipEnd large(String archive, PositionedBytes bytes, long locator, long stated)
      throws IOException {
    for (long place : new long[] {locator - LARGE_LENGTH, stated}) {
      ByteBuffer end = ByteBuffer.allocate(LARGE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
      if (place >= 0
          && place <= locator - LARGE_LENGTH
          && bytes.read(place, end) == LARGE_LENGTH
          && end.getInt(0) == LARGE_MAGIC) {
        return of(
            archive,
            place,
            true,
            end.getLong(LARGE_DIRECTORY_OFFSET_OFFSET),
            end.getLong(LARGE_DIRECTORY_LENGTH_OFFSET),
            end.getLong(LARGE_MEMBERS_OFFSET));
      }
    }
    throw new IOException(
        "%s at byte %d: the zip archive is corrupt: its zip64 end record is not there"
            .formatted(archive, locator));
  }

  private static ZipEnd of(
      String archive, long end, boolean isZip64, long statedOffset, long length, long members)
      throws IOException {
    long offset = end - length;
    long prefix = offset - statedOffset;
    if (length < 0 || members < 0 || statedOffset < 0 || prefix < 0) {
      throw new IOException(
          "%s at byte %d: the zip archive is corrupt: its end says that the directory has %d bytes"
                  .formatted(archive, end, length)
              + " from byte "
              + statedOffset);
    }
    return new ZipEnd(offset, length, members, isZip64, prefix);
  }
}
