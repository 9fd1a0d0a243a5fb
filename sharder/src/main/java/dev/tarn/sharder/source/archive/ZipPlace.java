package dev.tarn.sharder.source.archive;

/**
 * Where a member of a zip archive lies, and how.
 *
 * @param offset of its local header
 * @param stored how many bytes its data takes there
 * @param method how the data is compressed
 * @param crc32 of the uncompressed data
 */
record ZipPlace(long offset, long stored, int method, int crc32) {
  private static final char SEPARATOR = ' ';

  /** Its text, to be parsed again. */
  String text() {
    return Long.toHexString(offset)
        + SEPARATOR
        + Long.toHexString(stored)
        + SEPARATOR
        + Integer.toHexString(method)
        + SEPARATOR
        + Integer.toHexString(crc32);
  }

  static ZipPlace parse(String text) {
    int first = text.indexOf(SEPARATOR);
    int second = text.indexOf(SEPARATOR, first + 1);
    int third = text.indexOf(SEPARATOR, second + 1);
    return new ZipPlace(
        Long.parseLong(text, 0, first, 16),
        Long.parseLong(text, first + 1, second, 16),
        Integer.parseInt(text, second + 1, third, 16),
        Integer.parseUnsignedInt(text, third + 1, text.length(), 16));
  }
}
