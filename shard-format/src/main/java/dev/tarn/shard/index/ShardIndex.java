package dev.tarn.shard.index;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.index.IndexFormat.Section;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Random access to the samples of a shard. If it is mapped from a file, opening reads only the
 * header, and a look-up reads only what it needs.
 *
 * <p>Immutable and thread-safe.
 */
public final class ShardIndex {
  /** The suffix that makes a shard's name its index's name. */
  public static final String SUFFIX = ".tarnidx";

  private final IndexHeader header;
  private final String source;
  private final ByteBuffer samples;
  private final ByteBuffer members;
  private final ByteBuffer names;
  private final ByteBuffer digests;
  private final Optional<ByteBuffer> restartBytes;
  private final Optional<ShardRestarts> restarts;

  private ShardIndex(String source, ByteBuffer file) throws ShardFormatException {
    this.source = requireNonNull(source, "source is null");
    header = IndexHeader.parse(source, file);
    samples = header.section(file, Section.SAMPLES, (header.samples() + 1) * Integer.BYTES);
    members = header.section(file, Section.MEMBERS, header.members() * IndexFormat.MEMBER_LENGTH);
    names = header.section(file, Section.NAMES);
    digests =
        header.section(file, Section.SAMPLE_DIGESTS, header.samples() * IndexFormat.SHA256_LENGTH);
    restartBytes =
        header.isCompressed()
            ? Optional.of(header.section(file, Section.RESTARTS))
            : Optional.empty();
    restarts =
        restartBytes.isPresent()
            ? Optional.of(restarts(restartBytes.orElseThrow()))
            : Optional.empty();
  }

  /**
   * Reads an index in memory, from the buffer's position to its limit.
   *
   * @param source its name in messages
   * @throws ShardFormatException if the header is not valid
   */
  public static ShardIndex of(String source, ByteBuffer file) throws ShardFormatException {
    return new ShardIndex(source, file.slice().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Returns the number of samples in the shard. */
  public int sampleCount() {
    return (int) header.samples();
  }

  /** Returns the number of members in all samples. */
  public int memberCount() {
    return (int) header.members();
  }

  /** Returns the length of the uncompressed shard in bytes. */
  public long shardLength() {
    return header.shardLength();
  }

  /** Returns the length of the stored shard in bytes. */
  public long storedLength() {
    return restarts.map(ShardRestarts::storedLength).orElse(shardLength());
  }

  /** Returns the restarts of a compressed shard; empty if it is not compressed. */
  public Optional<ShardRestarts> restarts() {
    return restarts;
  }

  /** Returns the CRC32C of the stored shard. */
  public int storedCrc32c() {
    return header.storedCrc32c();
  }

  /** Returns the SHA-256 of the samples' digests. */
  public byte[] samplesSha256() {
    return header.samplesSha256();
  }

  /**
   * Returns a sample by its number in the shard, from 0.
   *
   * @throws ShardFormatException if this part of the index is corrupt
   */
  public IndexedSample sample(int number) throws ShardFormatException {
    int first = samples.getInt(checkSample(number) * Integer.BYTES);
    int end = samples.getInt((number + 1) * Integer.BYTES);
    if (first < 0 || first >= end || end > memberCount()) {
      throw corrupt(Section.SAMPLES, "sample " + number + " has members " + first + " to " + end);
    }
    List<IndexedMember> list = new ArrayList<>(end - first);
    for (int i = first; i < end; i++) {
      list.add(memberAt(i));
    }
    String name = list.get(0).name();
    return new IndexedSample(name.substring(0, SampleName.splitAt(name)), list);
  }

  /**
   * Returns the bytes of a sample's key, by the sample's number.
   *
   * @throws ShardFormatException if this part of the index is corrupt
   */
  public byte[] sampleKey(int number) throws ShardFormatException {
    int first = samples.getInt(checkSample(number) * Integer.BYTES);
    if (first < 0 || first >= memberCount()) {
      throw corrupt(Section.SAMPLES, "sample " + number + " begins with member " + first);
    }
    int at = first * IndexFormat.MEMBER_LENGTH;
    int offset = members.getInt(at + IndexFormat.MEMBER_NAME_OFFSET);
    int length = members.getInt(at + IndexFormat.MEMBER_KEY_LENGTH_OFFSET);
    if (offset < 0 || length < 0 || length > names.limit() - offset) {
      throw corrupt(Section.MEMBERS, "the key of sample " + number + " lies outside of the index");
    }
    byte[] key = new byte[length];
    names.get(offset, key);
    return key;
  }

  /**
   * Returns the number of a sample's first member; for the sample count, the number of all members.
   */
  public int sampleStart(int number) {
    return samples.getInt(Objects.checkIndex(number, sampleCount() + 1) * Integer.BYTES);
  }

  /**
   * Returns a member by its number in the shard, from 0.
   *
   * @throws ShardFormatException if this part of the index is corrupt
   */
  public IndexedMember member(int number) throws ShardFormatException {
    return memberAt(Objects.checkIndex(number, memberCount()));
  }

  /**
   * Returns the first member with a name, by a linear search.
   *
   * @throws ShardFormatException if the member's entry is corrupt
   */
  public Optional<IndexedMember> find(String name) throws ShardFormatException {
    byte[] wanted = MemberNames.encode(name);
    for (int number = 0; number < memberCount(); number++) {
      int at = number * IndexFormat.MEMBER_LENGTH;
      int nameOffset = members.getInt(at + IndexFormat.MEMBER_NAME_OFFSET);
      int nameLength = members.getInt(at + IndexFormat.MEMBER_NAME_LENGTH_OFFSET);
      if (nameLength == wanted.length
          && nameOffset >= 0
          && nameLength <= names.limit() - nameOffset
          && names.slice(nameOffset, nameLength).equals(ByteBuffer.wrap(wanted))) {
        return Optional.of(memberAt(number));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the offset of a member's data in the uncompressed shard; members are numbered from 0.
   */
  public long memberOffset(int number) {
    return members.getLong(checkMember(number));
  }

  /** Returns the length of a member's data in bytes. */
  public long memberSize(int number) {
    return members.getLong(checkMember(number) + IndexFormat.MEMBER_SIZE_OFFSET);
  }

  /** Returns the CRC32C of a member's data. */
  public int memberCrc32c(int number) {
    return members.getInt(checkMember(number) + IndexFormat.MEMBER_CRC_OFFSET);
  }

  /**
   * Returns the digest of a sample by its number; see {@link dev.tarn.shard.sample.SampleDigest}.
   */
  public byte[] sampleDigest(int number) {
    byte[] digest = new byte[IndexFormat.SHA256_LENGTH];
    digests.get(checkSample(number) * IndexFormat.SHA256_LENGTH, digest);
    return digest;
  }

  /** Returns the concatenated digests of all samples. */
  public ByteBuffer sampleDigests() {
    return digests.duplicate();
  }

  private ShardRestarts restarts(ByteBuffer section) throws ShardFormatException {
    int bytes = section.limit() - IndexFormat.RESTARTS_HEADER_LENGTH;
    if (bytes < 0 || bytes % IndexFormat.RESTART_LENGTH != 0) {
      throw corrupt(Section.RESTARTS, "its restarts take " + section.limit() + " bytes");
    }
    Compression compression = Compression.numbered(section.getInt(0));
    if (compression == null) {
      throw corrupt(Section.RESTARTS, "no compression has the number " + section.getInt(0));
    }
    long[] offsets = new long[bytes / IndexFormat.RESTART_LENGTH];
    long[] storedOffsets = new long[offsets.length];
    for (int i = 0; i < offsets.length; i++) {
      int at = IndexFormat.RESTARTS_HEADER_LENGTH + i * IndexFormat.RESTART_LENGTH;
      offsets[i] = section.getLong(at);
      storedOffsets[i] = section.getLong(at + Long.BYTES);
    }
    try {
      long length = section.getLong(IndexFormat.RESTARTS_STORED_LENGTH_OFFSET);
      return new ShardRestarts(compression, length, offsets, storedOffsets);
    } catch (IllegalArgumentException e) {
      throw corrupt(Section.RESTARTS, String.valueOf(e.getMessage()));
    }
  }

  private int checkSample(int number) {
    if (number < 0 || number >= sampleCount()) {
      throw new IndexOutOfBoundsException(
          "sample " + number + " of a shard of " + sampleCount() + " samples");
    }
    return number;
  }

  /** Returns the offset of a member's record. */
  private int checkMember(int number) {
    if (number < 0 || number >= memberCount()) {
      throw new IndexOutOfBoundsException(
          "member " + number + " of a shard of " + memberCount() + " members");
    }
    return number * IndexFormat.MEMBER_LENGTH;
  }

  private IndexedMember memberAt(int number) throws ShardFormatException {
    int at = number * IndexFormat.MEMBER_LENGTH;
    long offset = members.getLong(at);
    long size = members.getLong(at + IndexFormat.MEMBER_SIZE_OFFSET);
    int nameOffset = members.getInt(at + IndexFormat.MEMBER_NAME_OFFSET);
    int nameLength = members.getInt(at + IndexFormat.MEMBER_NAME_LENGTH_OFFSET);
    boolean fits =
        offset >= 0
            && size >= 0
            && size <= shardLength() - offset
            && nameOffset >= 0
            && nameLength > 0
            && nameLength <= names.limit() - nameOffset;
    if (!fits) {
      throw corrupt(
          Section.MEMBERS, "member " + number + " lies outside of the shard or the index");
    }
    byte[] bytes = new byte[nameLength];
    names.get(nameOffset, bytes);
    String name = MemberNames.decode(bytes);
    SampleName split = SampleName.parse(name);
    if (split == null) {
      throw corrupt(Section.NAMES, "member " + MemberNames.printable(name) + " is of no sample");
    }
    int crc = members.getInt(at + IndexFormat.MEMBER_CRC_OFFSET);
    return new IndexedMember(name, split.extension(), offset, size, crc);
  }

  /**
   * Reads the whole index. Verifies every section against its CRC32C, and the samples' digests
   * against the SHA-256 in the header.
   *
   * @throws ShardFormatException naming the first corrupt section
   */
  public void verify() throws ShardFormatException {
    verifySections();
    if (!Arrays.equals(samplesSha256(), ShardIndexBuilder.sha256(sampleDigests()))) {
      throw corrupt(Section.SAMPLE_DIGESTS, "the header has another SHA-256 of the digests");
    }
  }

  /**
   * Reads the whole index and verifies every section against its CRC32C. This is enough for readers
   * of samples that do not use digests.
   *
   * @throws ShardFormatException naming the first corrupt section
   */
  public void verifySections() throws ShardFormatException {
    header.verify(Section.SAMPLES, samples);
    header.verify(Section.MEMBERS, members);
    header.verify(Section.NAMES, names);
    header.verify(Section.SAMPLE_DIGESTS, digests);
    if (restartBytes.isPresent()) {
      header.verify(Section.RESTARTS, restartBytes.orElseThrow());
    }
  }

  private ShardFormatException corrupt(Section section, String problem)
      throws ShardFormatException {
    return new ShardFormatException(
        source, header.offset(section), "the index is corrupt: " + problem);
  }
}
