package dev.tarn.sharder.source.archive;

/**
 * The place of a member in a zip archive.
 *
 * @param offset of its local header
 * @param stored the length of its stored data in bytes
 * @param method the compression method
 * @param crc32 of the uncompressed data
 */
record ZipPlace(long offset, long stored, int method, int crc32) {
  private static final char SEPARATOR = ' ';

  /** Returns it as text that {@link #parse} reads. */
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
