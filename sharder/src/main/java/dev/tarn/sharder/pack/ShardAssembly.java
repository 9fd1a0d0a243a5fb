package dev.tarn.sharder.pack;

import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardIndexBuilder;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.plan.ShardPlan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts a shard together from segments that come in any order.
 *
 * <p>Whoever brings the segment that is due writes it, and then all that wait behind it; whoever
 * comes meanwhile leaves a segment and goes on reading. So the bytes go out in order, and nobody
 * waits but for a free buffer.
 */
final class ShardAssembly {
  private static final int DIGEST_LENGTH = 32;

  /**
   * A segment that was read.
   *
   * @param packed its members, whose bytes are in the buffer; null if it is a sample that no buffer
   *     holds, which is read when it is due
   */
  record Filled(Segment segment, ByteBuffer buffer, @Nullable PackedMembers packed) {}

  /**
   * A shard that is there.
   *
   * @param entry what the manifest says of it
   * @param files it and its index, as they were stored
   */
  record Finished(ShardEntry entry, List<StoredObject> files) {}

  private final ShardPlan plan;
  private final PlannedShard shard;
  private final Storage storage;
  private final StorageUrl url;
  private final StorageUrl indexUrl;
  private final Consumer<ShardAssembly> onWritten;
  private final ShardIndexBuilder index;
  private final MessageDigest sha256 = Sha256.newDigest();
  private final Map<Integer, Filled> waiting = new HashMap<>();
  private @Nullable ObjectWriter writer;
  private long position;
  private int due;
  private boolean writing;

  /**
   * @param onWritten told when all bytes are written, so that somebody calls {@link #finish}
   */
  ShardAssembly(
      ShardPlan plan, Storage storage, StorageUrl dataset, Consumer<ShardAssembly> onWritten) {
    this.plan = plan;
    this.shard = plan.shard();
    this.storage = storage;
    this.url = dataset.child(shard.name());
    this.indexUrl = dataset.child(shard.name() + ShardIndex.SUFFIX);
    this.onWritten = onWritten;
    int nameBytes = Math.toIntExact(shard.nameBytes());
    this.index = new ShardIndexBuilder(shard.samples(), shard.members(), nameBytes);
  }

  /** The shard's place among the others. */
  PlannedShard shard() {
    return shard;
  }

  /** The shard's members. */
  ShardPlan plan() {
    return plan;
  }

  /**
   * Takes a segment.
   *
   * @param reading the caller's, for samples that no buffer holds
   * @param free where the buffers of segments go that are written
   */
  void add(Filled filled, SampleReading reading, Buffers free)
      throws IOException, InterruptedException {
    synchronized (this) {
      waiting.put(filled.segment().number(), filled);
      if (writing) {
        return;
      }
      writing = true;
    }
    for (Filled next; (next = takeDue()) != null; ) {
      write(next, reading);
      free.put(next.buffer());
      if (next.segment().isLast()) {
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

  private void write(Filled filled, SampleReading reading) throws IOException {
    long start = position;
    Segment segment = filled.segment();
    PackedMembers packed = filled.packed();
    if (packed == null) {
      packed = reading.stream(segment, filled.buffer(), this::append);
    } else {
      append(filled.buffer());
    }
    describe(segment, packed, start);
  }

  private void describe(Segment segment, PackedMembers packed, long start) {
    long offset = start;
    int sampleEnd = plan.sampleEnd(segment.from());
    int sample = 0;
    for (int number = segment.from(); number < segment.to(); number++) {
      PlannedMember member = plan.member(number);
      long size = member.file().size();
      offset += member.headerLength();
      int crc = packed.crc32c()[number - segment.from()];
      index.addMember(member.nameBytes(), member.keyLength(), offset, size, crc);
      offset += size + TarLayout.padding(size);
      if (number + 1 == sampleEnd) {
        int at = sample * DIGEST_LENGTH;
        index.endSample(Arrays.copyOfRange(packed.digests(), at, at + DIGEST_LENGTH));
        sample++;
        sampleEnd = plan.sampleEnd(sampleEnd);
      }
    }
  }

  private void append(ByteBuffer bytes) throws IOException {
    if (writer == null) {
      writer = storage.create(url);
    }
    position += bytes.remaining();
    sha256.update(bytes.duplicate());
    writer.write(bytes);
  }

  /** Makes the shard and its index visible; called once, when all bytes are written. */
  Finished finish() throws IOException {
    if (position != shard.membersLength()) {
      throw new IllegalStateException(
          url + " has " + position + " bytes where " + shard.membersLength() + " were planned");
    }
    append(ByteBuffer.allocate(TarLayout.endLength(position)));
    StoredObject stored;
    try (ObjectWriter whole = writer) {
      if (whole == null) {
        throw new IllegalStateException(url + " was never begun");
      }
      stored = whole.commit();
    }
    Sha256 shardSha256 = Sha256.of(sha256.digest());
    ByteBuffer file = index.build(position, shardSha256.bytes());
    StoredObject storedIndex = storage.write(indexUrl, file.duplicate());
    FileEntry indexEntry =
        new FileEntry(
            shard.name() + ShardIndex.SUFFIX, file.remaining(), Sha256.digest(file.duplicate()));
    ShardEntry entry =
        new ShardEntry(
            shard.name(),
            shard.split(),
            Optional.empty(),
            position,
            index.samples(),
            index.members(),
            shardSha256,
            Sha256.digest(index.sampleDigests()),
            indexEntry);
    return new Finished(entry, List.of(stored, storedIndex));
  }

  /** Throws away what was written of a shard that is not finished. */
  void discard() throws IOException {
    if (writer != null) {
      writer.close();
    }
  }
}
