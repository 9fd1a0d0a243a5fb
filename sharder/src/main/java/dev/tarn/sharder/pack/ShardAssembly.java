package dev.tarn.sharder.pack;

import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardIndexBuilder;
import dev.tarn.shard.index.ShardRestarts;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.compress.BlockCompressor;
import dev.tarn.sharder.compress.Compressors;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.plan.ShardPlan;
import dev.tarn.sharder.plan.option.ShardCompression;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a shard from blocks that arrive in any order.
 *
 * <p>The worker that brings the next block writes it, and then all blocks that directly follow. A
 * worker that arrives in the meantime leaves its block and continues reading. The bytes are
 * therefore written in order, and workers wait only for free buffers.
 */
final class ShardAssembly {
  private static final int DIGEST_LENGTH = 32;

  /**
   * A block that was read.
   *
   * @param packed its members, whose bytes are in the buffer; null for a sample that is larger than
   *     a buffer, which is read when it is written
   */
  record Filled(SampleBlock block, ByteBuffer buffer, @Nullable PackedMembers packed) {}

  private final int number;
  private final ShardPlan plan;
  private final PlannedShard shard;
  private final ShardCompression compression;
  private final Storage storage;
  private final StorageUrl url;
  private final StorageUrl indexUrl;
  private final Consumer<ShardAssembly> onWritten;
  private final ShardIndexBuilder index;
  private final Map<Integer, Filled> waiting = new HashMap<>();
  private final LongStream.Builder blocks = LongStream.builder();
  private final LongStream.Builder storedBlocks = LongStream.builder();
  private final CRC32C storedCrc = new CRC32C();
  private @Nullable ObjectWriter writer;
  private long position;
  private long storedLength;
  private long lostLength;
  private int due;
  private boolean writing;

  /**
   * @param number of the shard in the plan
   * @param onWritten called when all bytes are written; must arrange the call of {@link #finish}
   */
  ShardAssembly(
      int number,
      ShardPlan plan,
      ShardCompression compression,
      Storage storage,
      StorageUrl dataset,
      Consumer<ShardAssembly> onWritten) {
    this.number = number;
    this.compression = compression;
    this.plan = plan;
    this.shard = plan.shard();
    this.storage = storage;
    this.url = dataset.child(shard.name());
    this.indexUrl = dataset.child(shard.name() + ShardIndex.SUFFIX);
    this.onWritten = onWritten;
    int nameBytes = Math.toIntExact(shard.nameBytes());
    this.index = new ShardIndexBuilder(shard.samples(), shard.members(), nameBytes);
  }

  /** Returns the shard's number in the plan. */
  int number() {
    return number;
  }

  /** Returns the shard as planned. */
  PlannedShard shard() {
    return shard;
  }

  /** Returns the shard's members. */
  ShardPlan plan() {
    return plan;
  }

  /**
   * Takes a block.
   *
   * @param packing the caller's, for samples that are larger than a buffer
   * @param free receives the buffers of written blocks
   */
  void add(Filled filled, BlockPacking packing, Buffers free)
      throws IOException, InterruptedException {
    synchronized (this) {
      waiting.put(filled.block().number(), filled);
      if (writing) {
        return;
      }
      writing = true;
    }
    for (Filled next; (next = takeDue()) != null; ) {
      write(next, packing);
      free.put(next.buffer());
      if (next.block().isLast()) {
        onWritten.accept(this);
      }
    }
  }

  private synchronized @Nullable Filled takeDue() {
    Filled next = waiting.remove(due);
    if (next == null) {
      writing = false;
    } else {
      due++;
    }
    return next;
  }

  private void write(Filled filled, BlockPacking packing) throws IOException {
    SampleBlock block = filled.block();
    PackedMembers packed = filled.packed();
    long storedStart = storedLength;
    if (packed == null) {
      packed = packing.stream(block, filled.buffer(), this::append);
    } else {
      append(filled.buffer());
    }
    if (packed.length() > 0) {
      blocks.add(position);
      storedBlocks.add(storedStart);
    }
    describe(block, packed, position);
    position += packed.length();
    lostLength += block.length() - packed.length();
  }

  private void describe(SampleBlock block, PackedMembers packed, long start) {
    long offset = start;
    int sample = 0;
    for (int first = block.from(); first < block.to(); first = plan.sampleEnd(first)) {
      int at = sample * DIGEST_LENGTH;
      if (!packed.lost().get(sample++)) {
        for (int member = first; member < plan.sampleEnd(first); member++) {
          offset = describe(member, offset, packed.crc32c()[member - block.from()]);
        }
        index.endSample(Arrays.copyOfRange(packed.digests(), at, at + DIGEST_LENGTH));
      }
    }
  }

  /** Adds a member to the index; returns the offset of the next member. */
  private long describe(int memberNumber, long start, int crc32c) {
    PlannedMember member = plan.member(memberNumber);
    long size = member.file().size();
    long offset = start + member.headerLength();
    index.addMember(member.nameBytes(), member.keyLength(), offset, size, crc32c);
    return offset + size + TarLayout.padding(size);
  }

  private void append(ByteBuffer bytes) throws IOException {
    if (writer == null) {
      writer = storage.create(url);
    }
    storedLength += bytes.remaining();
    storedCrc.update(bytes.duplicate());
    writer.write(bytes);
  }

  /** Makes the shard and its index visible. Must be called once, after all bytes are written. */
  FinishedShard finish() throws IOException {
    if (position + lostLength != shard.membersLength()) {
      throw new IllegalStateException(
          "%s has %d bytes and lost %d where %d were planned"
              .formatted(url, position, lostLength, shard.membersLength()));
    }
    appendEnd();
    StoredObject stored;
    try (ObjectWriter whole = writer) {
      if (whole == null) {
        throw new IllegalStateException(url + " was never begun");
      }
      stored = whole.commit();
    }
    ByteBuffer file = buildIndex();
    StoredObject storedIndex = storage.write(indexUrl, file.duplicate());
    return FinishedShard.of(
        shard, ShardIndex.of(indexUrl.toString(), file), file, stored, storedIndex);
  }

  /** Appends the zeros that end an archive; in a compressed shard they are a block of their own. */
  private void appendEnd() throws IOException {
    ByteBuffer end = ByteBuffer.allocate(TarLayout.endLength(position));
    blocks.add(position);
    storedBlocks.add(storedLength);
    position += end.remaining();
    if (compression.method().isEmpty()) {
      append(end);
      return;
    }
    try (BlockCompressor compressor = Compressors.open(compression)) {
      ByteBuffer compressed = ByteBuffer.allocate(compressor.lengthMax(end.remaining()));
      compressor.compress(end, compressed);
      append(compressed.flip());
    }
  }

  private ByteBuffer buildIndex() {
    Optional<Compression> known = compression.method();
    int crc = (int) storedCrc.getValue();
    if (known.isEmpty()) {
      return index.build(position, crc);
    }
    ShardRestarts restarts =
        new ShardRestarts(
            known.orElseThrow(),
            storedLength,
            blocks.build().toArray(),
            storedBlocks.build().toArray());
    return index.build(position, crc, restarts);
  }

  /** Discards the written bytes of an unfinished shard. */
  void discard() throws IOException {
    if (writer != null) {
      writer.close();
    }
  }
}
