package dev.tarn.shard.index;

import dev.tarn.shard.index.IndexFormat.Section;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;

/** Collects a shard's samples in order, and builds its index: a few dozen bytes per member. */
public final class ShardIndexBuilder {
  private static final Set<Section> EVERY_SHARDS =
      EnumSet.complementOf(EnumSet.of(Section.RESTARTS));

  private final Map<Section, SectionBuffer> sections = new EnumMap<>(Section.class);
  private int samples;
  private int members;
  private boolean sampleIsOpen;

  /** Creates a builder for any shard. */
  public ShardIndexBuilder() {
    this(0, 0, 0);
  }

  /**
   * Creates a builder for a shard of known content, which allocates the expected memory at once;
   * more content is allowed.
   *
   * @param nameBytes the total length of all members' names, in bytes
   */
  public ShardIndexBuilder(int samples, int members, int nameBytes) {
    for (Section section : EVERY_SHARDS) {
      long expected =
          switch (section) {
            case SAMPLES -> Integer.BYTES * (samples + 1L);
            case MEMBERS -> (long) IndexFormat.MEMBER_LENGTH * members;
            case NAMES -> nameBytes;
            case SAMPLE_DIGESTS -> (long) IndexFormat.SHA256_LENGTH * samples;
            case RESTARTS -> 0;
          };
      sections.put(section, new SectionBuffer(expected));
    }
  }

  private SectionBuffer section(Section section) {
    return sections.computeIfAbsent(section, absent -> new SectionBuffer(0));
  }

  /**
   * Adds a member to the current sample, or begins a sample.
   *
   * @param name of the member, which must belong to a sample
   * @param offset of its data in the uncompressed shard
   * @param size of its data in bytes
   * @param crc32c of its data
   */
  public void addMember(String name, long offset, long size, int crc32c) {
    int split = SampleName.splitAt(name);
    if (split < 0) {
      throw new IllegalArgumentException(
          "member " + MemberNames.printable(name) + " belongs to no sample");
    }
    int keyLength = MemberNames.encode(name.substring(0, split)).length;
    addMember(MemberNames.encode(name), keyLength, offset, size, crc32c);
  }

  /**
   * Adds a member like {@link #addMember(String, long, long, int)}.
   *
   * @param name its bytes
   * @param keyLength the number of those bytes that are the sample's key, without the dot
   */
  public void addMember(byte[] name, int keyLength, long offset, long size, int crc32c) {
    if (!sampleIsOpen) {
      section(Section.SAMPLES).room(Integer.BYTES).putInt(members);
      sampleIsOpen = true;
    }
    SectionBuffer names = section(Section.NAMES);
    section(Section.MEMBERS)
        .room(IndexFormat.MEMBER_LENGTH)
        .putLong(offset)
        .putLong(size)
        .putInt(crc32c)
        .putInt(names.length())
        .putInt(name.length)
        .putInt(keyLength);
    names.room(name.length).put(name);
    members++;
  }

  /**
   * Ends the current sample.
   *
   * @param digest see {@link dev.tarn.shard.sample.SampleDigest}
   */
  public void endSample(byte[] digest) {
    if (!sampleIsOpen || digest.length != IndexFormat.SHA256_LENGTH) {
      throw new IllegalStateException("no sample is under way, or its digest is no SHA-256");
    }
    section(Section.SAMPLE_DIGESTS).room(digest.length).put(digest);
    samples++;
    sampleIsOpen = false;
  }

  /** Returns the number of finished samples. */
  public int samples() {
    return samples;
  }

  /** Returns the number of added members. */
  public int members() {
    return members;
  }

  static byte[] sha256(ByteBuffer bytes) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(bytes);
      return sha256.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the concatenated digests of the samples, in order. */
  public ByteBuffer sampleDigests() {
    return section(Section.SAMPLE_DIGESTS).written().asReadOnlyBuffer();
  }

  /**
   * Builds the index file of a compressed shard; the builder cannot be used afterwards.
   *
   * @param shardLength of the uncompressed shard, in bytes
   * @param storedCrc32c of the compressed shard
   */
  public ByteBuffer build(long shardLength, int storedCrc32c, ShardRestarts restarts) {
    section(Section.RESTARTS)
        .room(IndexFormat.RESTARTS_HEADER_LENGTH)
        .putInt(restarts.compression().number())
        .putInt(0)
        .putLong(restarts.storedLength());
    for (int i = 0; i < restarts.count(); i++) {
      section(Section.RESTARTS)
          .room(IndexFormat.RESTART_LENGTH)
          .putLong(restarts.offset(i))
          .putLong(restarts.storedOffset(i));
    }
    return build(shardLength, storedCrc32c);
  }

  /**
   * Builds the index file of an uncompressed shard; the builder cannot be used afterwards.
   *
   * @param shardLength of the shard, in bytes
   * @param storedCrc32c of the shard
   */
  public ByteBuffer build(long shardLength, int storedCrc32c) {
    if (sampleIsOpen) {
      throw new IllegalStateException("the last sample is not ended");
    }
    section(Section.SAMPLES).room(Integer.BYTES).putInt(members);
    int headerLength =
        IndexFormat.SECTION_TABLE_OFFSET + sections.size() * IndexFormat.SECTION_ENTRY_LENGTH;
    long length = headerLength;
    for (SectionBuffer section : sections.values()) {
      length = align(length) + section.length();
    }
    if (length > Integer.MAX_VALUE) {
      throw new IllegalStateException("the shard's index would exceed 2 GiB: make shards smaller");
    }
    ByteBuffer file = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(IndexFormat.MAGIC)
        .putInt(IndexFormat.VERSION)
        .putInt(sections.containsKey(Section.RESTARTS) ? IndexFormat.FLAG_COMPRESSED : 0)
        .putLong(length)
        .putLong(shardLength)
        .put(sha256(sampleDigests()))
        .putLong(samples)
        .putLong(members)
        .putInt(sections.size())
        .putInt(0)
        .putInt(storedCrc32c)
        .putInt(0);
    int offset = headerLength;
    for (Map.Entry<Section, SectionBuffer> entry : sections.entrySet()) {
      ByteBuffer bytes = entry.getValue().written();
      offset = (int) align(offset);
      file.putInt(entry.getKey().number)
          .putInt(crc(bytes.duplicate()))
          .putLong(offset)
          .putLong(bytes.remaining());
      file.duplicate().position(offset).put(bytes);
      offset += entry.getValue().length();
    }
    file.putInt(IndexFormat.HEADER_CRC_OFFSET, crc(file.duplicate().flip()));
    return file.rewind();
  }

  private static long align(long offset) {
    return (offset + IndexFormat.SECTION_ALIGNMENT - 1) & -IndexFormat.SECTION_ALIGNMENT;
  }

  static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
