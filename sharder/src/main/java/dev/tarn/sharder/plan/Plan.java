package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.sort.ByteCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The planned output of a pack, down to the place of each byte; made before any content is read.
 * The same files and options give the same plan, byte for byte.
 *
 * <p>A plan is a file; only its list of shards is kept in memory. Each of its shards can be written
 * alone, by a later run or by another machine.
 *
 * <p>Thread-safe.
 */
public final class Plan implements AutoCloseable {
  private static final int COPY_BUFFER_LENGTH = 256 * 1024;

  private final PlanBytes bytes;
  private final PlanHeader header;
  private final Sha256 digest;
  private final List<Entry> entries;
  private final List<PlannedShard> shards;

  /** A shard, and the place of its block in the plan. */
  private record Entry(PlannedShard shard, long offset, long length, int crc32c) {}

  private Plan(PlanBytes bytes, PlanHeader header, Sha256 digest, List<Entry> entries) {
    this.bytes = bytes;
    this.header = requireNonNull(header, "header is null");
    this.digest = digest;
    this.entries = entries;
    this.shards = entries.stream().map(Entry::shard).toList();
  }

  /**
   * Opens a plan's file.
   *
   * @throws IOException if it is not a plan, has another version, is damaged or is truncated
   */
  public static Plan open(Storage storage, StorageUrl url) throws IOException {
    return open(PlanBytes.Stored.open(storage, url));
  }

  static Plan open(PlanBytes bytes) throws IOException {
    try {
      return read(bytes);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new IOException(bytes.name() + ": a damaged plan: " + e.getMessage(), e);
    }
  }

  private static Plan read(PlanBytes bytes) throws IOException {
    long length = bytes.length();
    if (length < PlanFormat.START_LENGTH + PlanFormat.FOOTER_LENGTH) {
      throw new IOException(bytes.name() + ": no plan: too short");
    }
    ByteBuffer start = read(bytes, 0, PlanFormat.START_LENGTH);
    if (start.getLong() != PlanFormat.MAGIC) {
      throw new IOException(bytes.name() + ": not a plan of the sharder: its first bytes differ");
    }
    int version = start.getInt();
    if (version != PlanFormat.VERSION) {
      throw new IOException(
          "%s: the plan has version %d, this sharder reads version %d; plan again"
              .formatted(bytes.name(), version, PlanFormat.VERSION));
    }
    ByteBuffer footer = read(bytes, length - PlanFormat.FOOTER_LENGTH, PlanFormat.FOOTER_LENGTH);
    long directoryLength = footer.getLong();
    long headerLength = footer.getLong();
    byte[] sha256 = new byte[PlanFormat.DIGEST_LENGTH];
    footer.get(sha256);
    int crc = footer.getInt();
    long end = length - PlanFormat.FOOTER_LENGTH;
    long blocksEnd = end - directoryLength - headerLength;
    if (footer.getLong() != PlanFormat.MAGIC
        || directoryLength < 0
        || headerLength < 0
        || blocksEnd < PlanFormat.START_LENGTH
        || blocksEnd > end) {
      throw new IOException(bytes.name() + ": the plan is cut short: plan again");
    }
    byte[] directory = read(bytes, blocksEnd, directoryLength).array();
    byte[] json = read(bytes, blocksEnd + directoryLength, headerLength).array();
    CRC32C actual = new CRC32C();
    actual.update(directory);
    actual.update(json);
    actual.update(footer.slice(0, PlanFormat.SUMMED_FOOTER_LENGTH));
    if ((int) actual.getValue() != crc) {
      throw new IOException(
          bytes.name() + ": the plan is damaged: the CRC32C of its directory differs");
    }
    return new Plan(
        bytes,
        PlanHeaderJson.read(bytes.name(), json),
        Sha256.of(sha256),
        entries(directory, blocksEnd));
  }

  private static ByteBuffer read(PlanBytes bytes, long offset, long length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(length));
    bytes.read(offset, buffer);
    return buffer.flip();
  }

  private static List<Entry> entries(byte[] directory, long blocksEnd) {
    ByteCursor cursor = new ByteCursor(directory);
    List<Entry> entries = new ArrayList<>();
    long offset = PlanFormat.START_LENGTH;
    for (long left = cursor.takeVarint(); left > 0; left--) {
      String name = MemberNames.decode(cursor.takeSized());
      String split = MemberNames.decode(cursor.takeSized());
      long length = cursor.takeVarint();
      int crc = cursor.takeShort() << 16 | cursor.takeShort();
      PlannedShard shard =
          new PlannedShard(
              name,
              split.isEmpty() ? Optional.empty() : Optional.of(split),
              Math.toIntExact(cursor.takeVarint()),
              Math.toIntExact(cursor.takeVarint()),
              cursor.takeVarint(),
              cursor.takeVarint(),
              cursor.takeVarint(),
              cursor.takeVarint());
      entries.add(new Entry(shard, offset, length, crc));
      offset += length;
    }
    if (offset != blocksEnd || !cursor.isAtEnd()) {
      throw new IndexOutOfBoundsException("its directory does not describe its blocks");
    }
    return entries;
  }

  /** Returns the plan's header. */
  public PlanHeader header() {
    return header;
  }

  /** Returns the SHA-256 of the plan's content, which depends only on the sources and options. */
  public Sha256 digest() {
    return digest;
  }

  /** Returns the shards, in order. */
  public List<PlannedShard> shards() {
    return shards;
  }

  /** Returns the memory in bytes that the result of {@link #shard} takes. */
  public long bytesInMemory(int number) {
    Entry entry = entries.get(number);
    return entry.length + ShardPlan.BYTES_PER_MEMBER * entry.shard.members();
  }

  /**
   * Reads the members of one shard.
   *
   * @param number of the shard, from 0
   */
  public ShardPlan shard(int number) throws IOException {
    Entry entry = entries.get(number);
    byte[] block = read(bytes, entry.offset, entry.length).array();
    CRC32C crc = new CRC32C();
    crc.update(block);
    if ((int) crc.getValue() != entry.crc32c) {
      throw new IOException(
          bytes.name() + ": a damaged plan: " + entry.shard.name() + " has another CRC32C");
    }
    try {
      return ShardPlan.of(entry.shard, block);
    } catch (IndexOutOfBoundsException e) {
      throw new IOException(bytes.name() + ": a damaged plan: " + e.getMessage(), e);
    }
  }

  /** Stores a copy of the plan's file. */
  public void store(Storage storage, StorageUrl url) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(COPY_BUFFER_LENGTH);
    try (ObjectWriter writer = storage.create(url)) {
      for (long offset = 0; offset < bytes.length(); offset += buffer.limit()) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), bytes.length() - offset));
        bytes.read(offset, buffer);
        writer.write(buffer.flip());
      }
      writer.commit();
    }
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
