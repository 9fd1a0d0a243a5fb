package dev.tarn.sharder.source.dataset;

/**
 * The place of a member in a dataset.
 *
 * @param shard its shard's number in the manifest, from 0
 * @param offset of its data in the uncompressed shard
 * @param crc32c of its data
 */
record MemberPlace(int shard, long offset, int crc32c) {
  private static final char SEPARATOR = ' ';

  /** Returns it as text that {@link #parse} reads. */
  String text() {
    return Integer.toHexString(shard)
        + SEPARATOR
        + Long.toHexString(offset)
        + SEPARATOR
        + Integer.toHexString(crc32c);
  }

  static MemberPlace parse(String text) {
    int first = text.indexOf(SEPARATOR);
    int second = text.indexOf(SEPARATOR, first + 1);
    return new MemberPlace(
        Integer.parseInt(text, 0, first, 16),
        Long.parseLong(text, first + 1, second, 16),
        Integer.parseUnsignedInt(text, second + 1, text.length(), 16));
  }
}
