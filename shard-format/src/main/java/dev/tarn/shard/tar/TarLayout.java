package dev.tarn.shard.tar;

/**
 * The lengths of a written archive and its members, which plans need before anything is written.
 */
public final class TarLayout {
  /** Headers and data begin at multiples of this, in bytes. */
  public static final int BLOCK = TarFormat.BLOCK;

  /** An archive's length is a multiple of this, in bytes: twenty blocks, a tradition of tapes. */
  public static final int RECORD = 20 * BLOCK;

  /** At least two blocks of zeros end an archive. */
  private static final int END_OF_ARCHIVE = 2 * BLOCK;

  private TarLayout() {}

  /**
   * Returns the length of a member's headers in bytes.
   *
   * @param name its bytes
   * @param size of its data in bytes
   */
  public static int headerLength(byte[] name, long size) {
    int records = PaxHeader.length(name, size);
    return records == 0 ? BLOCK : BLOCK + records + padding(records) + BLOCK;
  }

  /** Returns the number of zeros after a member's data. */
  public static int padding(long size) {
    return TarFormat.padding(size);
  }

  /**
   * Returns the length of a member with its headers and padding, in bytes.
   *
   * @param name its bytes
   * @param size of its data in bytes
   */
  public static long memberLength(byte[] name, long size) {
    return headerLength(name, size) + size + padding(size);
  }

  /**
   * Returns whether a member needs only one header block.
   *
   * @param nameLength in bytes
   * @param size of its data in bytes
   */
  public static boolean isShort(int nameLength, long size) {
    return nameLength <= TarFormat.NAME_LENGTH && PaxHeader.fitsOctal(size);
  }

  /** Returns the number of zeros that end an archive whose members take {@code length} bytes. */
  public static int endLength(long length) {
    long end = length + END_OF_ARCHIVE;
    return (int) (END_OF_ARCHIVE + (RECORD - end % RECORD) % RECORD);
  }
}
