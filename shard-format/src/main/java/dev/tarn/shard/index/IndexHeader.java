package dev.tarn.shard.index;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.IndexFormat.Section;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.CRC32C;

/** The header of an index; validated once, when it is parsed. */
final class IndexHeader {
  /** The place and the CRC32C of a section. */
  private record Extent(int offset, int length, int crc) {}

  private final String source;
  private final long shardLength;
  private final int storedCrc32c;
  private final byte[] samplesSha256 = new byte[IndexFormat.SHA256_LENGTH];
  private final boolean compressed;
  private final long samples;
  private final long members;
  private final Map<Section, Extent> extents = new EnumMap<>(Section.class);

  private IndexHeader(String source, ByteBuffer file) {
    this.source = source;
    shardLength = file.getLong(IndexFormat.SHARD_LENGTH_OFFSET);
    storedCrc32c = file.getInt(IndexFormat.STORED_CRC_OFFSET);
    file.get(IndexFormat.SAMPLES_SHA256_OFFSET, samplesSha256);
    int flags = file.getInt(IndexFormat.REQUIRED_FLAGS_OFFSET);
    compressed = (flags & IndexFormat.FLAG_COMPRESSED) != 0;
    samples = file.getLong(IndexFormat.SAMPLES_OFFSET);
    members = file.getLong(IndexFormat.MEMBERS_OFFSET);
  }

  static IndexHeader parse(String source, ByteBuffer file) throws ShardFormatException {
    if (file.limit() < IndexFormat.SECTION_TABLE_OFFSET || file.getLong(0) != IndexFormat.MAGIC) {
      throw new ShardFormatException(source, 0, "not a shard index: its first bytes differ");
    }
    int version = file.getInt(IndexFormat.VERSION_OFFSET);
    if (version != IndexFormat.VERSION) {
      throw new ShardFormatException(
          source,
          IndexFormat.VERSION_OFFSET,
          "index format version " + version + "; this reader knows " + IndexFormat.VERSION);
    }
    int unknown =
        file.getInt(IndexFormat.REQUIRED_FLAGS_OFFSET) & ~IndexFormat.KNOWN_REQUIRED_FLAGS;
    if (unknown != 0) {
      throw new ShardFormatException(
          source,
          IndexFormat.REQUIRED_FLAGS_OFFSET,
          "the index requires features unknown to this reader: flags 0x"
              + Integer.toHexString(unknown));
    }
    long length = file.getLong(IndexFormat.FILE_LENGTH_OFFSET);
    if (length != file.limit()) {
      throw new ShardFormatException(
          source, file.limit(), "the index has " + file.limit() + " bytes, not its " + length);
    }
    int sections = file.getInt(IndexFormat.SECTIONS_OFFSET);
    int end = IndexFormat.SECTION_TABLE_OFFSET + sections * IndexFormat.SECTION_ENTRY_LENGTH;
    if (sections < 0 || sections > IndexFormat.MAXIMUM_SECTIONS || end > file.limit()) {
      throw new ShardFormatException(
          source, IndexFormat.SECTIONS_OFFSET, "the index has " + sections + " sections");
    }
    if (headerCrc(file, end) != file.getInt(IndexFormat.HEADER_CRC_OFFSET)) {
      throw new ShardFormatException(
          source, IndexFormat.HEADER_CRC_OFFSET, "the index is corrupt: its header's CRC is wrong");
    }
    IndexHeader header = new IndexHeader(source, file);
    long possible = file.limit() / IndexFormat.MEMBER_LENGTH;
    if (header.samples < 0 || header.members < header.samples || header.members > possible) {
      throw new ShardFormatException(
          source,
          IndexFormat.SAMPLES_OFFSET,
          "the index states " + header.samples + " samples of " + header.members + " members");
    }
    header.parseSections(file, sections);
    return header;
  }

  private static int headerCrc(ByteBuffer file, int end) {
    CRC32C crc = new CRC32C();
    crc.update(file.slice(0, IndexFormat.HEADER_CRC_OFFSET));
    crc.update(new byte[Integer.BYTES]);
    int rest = IndexFormat.STORED_CRC_OFFSET;
    crc.update(file.slice(rest, end - rest));
    return (int) crc.getValue();
  }

  /** Skips sections of unknown numbers; a section that a reader must support has a feature flag. */
  private void parseSections(ByteBuffer file, int count) throws ShardFormatException {
    for (int i = 0; i < count; i++) {
      int at = IndexFormat.SECTION_TABLE_OFFSET + i * IndexFormat.SECTION_ENTRY_LENGTH;
      int number = file.getInt(at);
      int crc = file.getInt(at + IndexFormat.SECTION_CRC_OFFSET);
      long offset = file.getLong(at + IndexFormat.SECTION_OFFSET_OFFSET);
      long length = file.getLong(at + IndexFormat.SECTION_LENGTH_OFFSET);
      if (offset < 0 || offset > file.limit() || length < 0 || length > file.limit() - offset) {
        throw new ShardFormatException(
            source, at, "section " + number + " of the index lies outside of it");
      }
      for (Section section : Section.values()) {
        if (section.number == number) {
          extents.put(section, new Extent((int) offset, (int) length, crc));
        }
      }
    }
  }

  long shardLength() {
    return shardLength;
  }

  int storedCrc32c() {
    return storedCrc32c;
  }

  byte[] samplesSha256() {
    return samplesSha256.clone();
  }

  /** Returns whether the shard is compressed; the index then has restarts. */
  boolean isCompressed() {
    return compressed;
  }

  long samples() {
    return samples;
  }

  long members() {
    return members;
  }

  long offset(Section section) throws ShardFormatException {
    return extent(section).offset();
  }

  ByteBuffer section(ByteBuffer file, Section section) throws ShardFormatException {
    Extent extent = extent(section);
    return file.slice(extent.offset(), extent.length()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the section's bytes; verifies their length, which the counts determine. */
  ByteBuffer section(ByteBuffer file, Section section, long expectedLength)
      throws ShardFormatException {
    Extent extent = extent(section);
    if (extent.length() != expectedLength) {
      throw new ShardFormatException(
          source,
          extent.offset(),
          "section "
              + section
              + " of the index has "
              + extent.length()
              + " bytes, not "
              + expectedLength);
    }
    return section(file, section);
  }

  void verify(Section section, ByteBuffer bytes) throws ShardFormatException {
    if (ShardIndexBuilder.crc(bytes.duplicate()) != extent(section).crc()) {
      throw new ShardFormatException(
          source,
          offset(section),
          "the index is corrupt: the CRC32C of its section " + section + " is wrong");
    }
  }

  private Extent extent(Section section) throws ShardFormatException {
    Extent extent = extents.get(section);
    if (extent == null) {
      throw new ShardFormatException(
          source, IndexFormat.SECTION_TABLE_OFFSET, "the index lacks its section " + section);
    }
    return extent;
  }
}
