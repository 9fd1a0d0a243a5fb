package dev.tarn.sharder.plan;

/**
 * The format of a plan's file, big-endian.
 *
 * <ol>
 *   <li>magic (8 bytes) and version (4)
 *   <li>the shards' blocks
 *   <li>the directory of shards
 *   <li>the header as JSON
 *   <li>the footer, which has a fixed length: the lengths of directory and header (8 each), the
 *       SHA-256 of all bytes before it (32), the CRC32C of all bytes from the directory up to here
 *       (4), and the magic again (8)
 * </ol>
 *
 * <p>A plan can therefore be written as a stream, and read from its end.
 */
final class PlanFormat {
  static final long MAGIC = 0x8954_4152_4e50_4c4eL;
  static final int VERSION = 3;
  static final int START_LENGTH = Long.BYTES + Integer.BYTES;
  static final int DIGEST_LENGTH = 32;
  static final int SUMMED_FOOTER_LENGTH = 2 * Long.BYTES + DIGEST_LENGTH;
  static final int FOOTER_LENGTH = SUMMED_FOOTER_LENGTH + Integer.BYTES + Long.BYTES;

  /**
   * Maximum length of a shard's block, in bytes; a longer shard is cut. A block is in memory at
   * once.
   */
  static final int BLOCK_LENGTH_MAX = 256 * 1024 * 1024;

  /** Maximum length of the member data in a shard's index, in bytes; a longer shard is cut. */
  static final int INDEX_LENGTH_MAX = 128 * 1024 * 1024;

  /** Bytes that a member takes in its shard's index, without its name. */
  static final int INDEX_BYTES_PER_MEMBER = 68;

  private PlanFormat() {}
}
