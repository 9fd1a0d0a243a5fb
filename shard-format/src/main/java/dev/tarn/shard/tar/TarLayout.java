package dev.tarn.shard.tar;

/** How many bytes a written archive takes, known before one is written: plans are made of it. */
public final class TarLayout {
  /** Headers and data begin at multiples of it. */
  public static final int BLOCK = TarFormat.BLOCK;

  /** An archive's length is a multiple of it: twenty blocks, as tapes had them. */
  public static final int RECORD = 20 * BLOCK;

  /** At least two blocks of zeros end an archive. */
  private static final int END_OF_ARCHIVE = 2 * BLOCK;

  private TarLayout() {}

  /**
   * The length of a member's headers.
   *
   * @param name its bytes
   * @param size of its data
   */
  public static int headerLength(byte[] name, long size) {
    int records = PaxHeader.length(name, size);
    return records == 0 ? BLOCK : BLOCK + records + padding(records) + BLOCK;
  }

  /** How many zeros follow a member's data. */
  public static int padding(long size) {
    return TarFormat.padding(size);
  }

  /**
   * The length of a member with its headers and padding.
   *
   * @param name its bytes
   * @param size of its data
   */
  public static long memberLength(byte[] name, long size) {
    return headerLength(name, size) + size + padding(size);
  }

  /**
   * Whether one block is all that a member needs before its data.
   *
   * @param nameLength in bytes
   * @param size of its data
   */
  public static boolean isShort(int nameLength, long size) {
    return nameLength <= TarFormat.NAME_LENGTH && PaxHeader.fitsOctal(size);
  }

  /** How many zeros end an archive whose members take {@code length} bytes. */
  public static int endLength(long length) {
    long end = length + END_OF_ARCHIVE;
    return (int) (END_OF_ARCHIVE + (RECORD - end % RECORD) % RECORD);
  }
}
