package dev.tarn.shard.tar;

import java.nio.ByteBuffer;

/** The offsets of the fields of a tar header, and their values (POSIX ustar and pax, GNU). */
final class TarFormat {
  static final int BLOCK = 512;

  static final int NAME = 0;
  static final int NAME_LENGTH = 100;
  static final int MODE = 100;
  static final int UID = 108;
  static final int GID = 116;
  static final int ID_LENGTH = 8;
  static final int SIZE = 124;
  static final int SIZE_LENGTH = 12;
  static final int MTIME = 136;
  static final int CHECKSUM = 148;
  static final int CHECKSUM_LENGTH = 8;
  static final int TYPE = 156;
  static final int MAGIC = 257;
  static final int DEVICE_MAJOR = 329;
  static final int DEVICE_MINOR = 337;
  static final int PREFIX = 345;
  static final int PREFIX_LENGTH = 155;

  /**
   * The prefix of Schily tar's "xstar" archives is shorter; a magic at the block's end marks them.
   */
  static final int XSTAR_PREFIX_LENGTH = 131;

  static final int XSTAR_MAGIC = 508;

  static final byte TYPE_REGULAR = '0';
  static final byte TYPE_REGULAR_OLD = 0;
  static final byte TYPE_HARD_LINK = '1';
  static final byte TYPE_SYMBOLIC_LINK = '2';
  static final byte TYPE_DIRECTORY = '5';
  static final byte TYPE_PIPE = '6';
  static final byte TYPE_CONTIGUOUS = '7';
  static final byte TYPE_PAX_GLOBAL = 'g';
  static final byte TYPE_PAX_LOCAL = 'x';
  static final byte TYPE_PAX_LOCAL_SOLARIS = 'X';
  static final byte TYPE_GNU_LONG_NAME = 'L';
  static final byte TYPE_GNU_LONG_LINK = 'K';
  static final byte TYPE_GNU_SPARSE = 'S';

  private static final ByteBuffer ZEROS = ByteBuffer.allocate(64 * 1024).asReadOnlyBuffer();

  private TarFormat() {}

  /** Returns the index of the first byte from the buffer's position that is not zero; or -1. */
  static int firstNonZero(ByteBuffer bytes) {
    for (int start = bytes.position(); start < bytes.limit(); start += ZEROS.capacity()) {
      int length = Math.min(ZEROS.capacity(), bytes.limit() - start);
      int found = bytes.slice(start, length).mismatch(ZEROS.slice(0, length));
      if (found >= 0) {
        return start + found;
      }
    }
    return -1;
  }

  /** Returns the number of bytes that pad {@code size} bytes of data to whole blocks. */
  static int padding(long size) {
    return (int) (-size & (BLOCK - 1));
  }
}
