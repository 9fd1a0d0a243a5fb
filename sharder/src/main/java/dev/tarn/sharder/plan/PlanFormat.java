package dev.tarn.sharder.plan;

/**
 * The plan's file, big-endian: magic (8 bytes) and version (4); the shards' blocks; the directory
 * of shards; the header as JSON; and a footer of fixed length. The footer is the lengths of
 * directory and header (8 each), the SHA-256 of all before it (32), the CRC32C of all from the
 * directory to it (4) and the magic again (8). So it can be written as a stream, and read from its
 * end.
 */
final class PlanFormat {
  static final long MAGIC = 0x8954_4152_4e50_4c4eL;
  static final int VERSION = 1;
  static final int START_LENGTH = Long.BYTES + Integer.BYTES;
  static final int DIGEST_LENGTH = 32;
  static final int SUMMED_FOOTER_LENGTH = 2 * Long.BYTES + DIGEST_LENGTH;
  static final int FOOTER_LENGTH = SUMMED_FOOTER_LENGTH + Integer.BYTES + Long.BYTES;

  /** A shard ends before its block, which is in memory at once, would become longer. */
  static final int BLOCK_LENGTH_MAX = 256 * 1024 * 1024;

  /** A shard ends before what its index says of its members would become longer. */
  static final int INDEX_LENGTH_MAX = 128 * 1024 * 1024;

  /** What a member takes in its shard's index beside its name. */
  static final int INDEX_BYTES_PER_MEMBER = 68;

  private PlanFormat() {}
}
