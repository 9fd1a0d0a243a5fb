package dev.tarn.shard.index;

/**
 * The offsets of the fields of a shard index; docs/DATASET_FORMAT.md describes them for all
 * languages. All numbers are little-endian.
 */
final class IndexFormat {
  /** 0x89 "TARNIDX": the first byte prevents that a transfer treats the file as text. */
  static final long MAGIC = 0x5844494e52415489L;

  static final int VERSION = 1;

  /** The shard is compressed, so the index has restarts. */
  static final int FLAG_COMPRESSED = 1;

  /** The feature flags that this reader supports. */
  static final int KNOWN_REQUIRED_FLAGS = FLAG_COMPRESSED;

  static final int VERSION_OFFSET = 8;
  static final int REQUIRED_FLAGS_OFFSET = 12;
  static final int FILE_LENGTH_OFFSET = 16;
  static final int SHARD_LENGTH_OFFSET = 24;
  static final int SAMPLES_SHA256_OFFSET = 32;
  static final int SAMPLES_OFFSET = 64;
  static final int MEMBERS_OFFSET = 72;
  static final int SECTIONS_OFFSET = 80;
  static final int HEADER_CRC_OFFSET = 84;
  static final int STORED_CRC_OFFSET = 88;
  static final int SECTION_TABLE_OFFSET = 96;

  static final int SECTION_ENTRY_LENGTH = 24;
  static final int SECTION_CRC_OFFSET = 4;
  static final int SECTION_OFFSET_OFFSET = 8;
  static final int SECTION_LENGTH_OFFSET = 16;
  static final int MAXIMUM_SECTIONS = 64;
  static final int SECTION_ALIGNMENT = 8;

  static final int MEMBER_LENGTH = 32;
  static final int MEMBER_SIZE_OFFSET = 8;
  static final int MEMBER_CRC_OFFSET = 16;
  static final int MEMBER_NAME_OFFSET = 20;
  static final int MEMBER_NAME_LENGTH_OFFSET = 24;
  static final int MEMBER_KEY_LENGTH_OFFSET = 28;

  static final int SHA256_LENGTH = 32;

  static final int RESTARTS_STORED_LENGTH_OFFSET = 8;
  static final int RESTARTS_HEADER_LENGTH = 16;
  static final int RESTART_LENGTH = 16;

  private IndexFormat() {}

  /** The sections of an index, with their numbers in its section table. */
  enum Section {
    /** For each sample the number of its first member; then the total number of members. */
    SAMPLES(1),
    /** For each member a record of fixed length. */
    MEMBERS(2),
    /** The members' names, without separators. */
    NAMES(3),
    /** For each sample its digest. */
    SAMPLE_DIGESTS(4),
    /** The restarts of a compressed shard. */
    RESTARTS(5);

    final int number;

    Section(int number) {
      this.number = number;
    }
  }
}
