package dev.tarn.sharder.pack;

import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardIndexBuilder;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.plan.PlannedSample;
import dev.tarn.sharder.plan.PlannedShard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts a shard together from segments that come in any order.
 *
 * <p>Whoever brings the segment that is due writes it, and then all that wait behind it; whoever
 * comes meanwhile leaves a segment and goes on reading. So the bytes go out in order, and nobody
 * waits but for a free buffer.
 */
final class ShardAssembly {
  /**
   * A segment that was read.
   *
   * @param packed its samples, in the buffer; null if it is a sample that no buffer holds, which is
   *     read when it is due
   */
  record Filled(Segment segment, ByteBuffer buffer, @Nullable List<PackedSample> packed) {}

  private final PlannedShard plan;
  private final Storage storage;
  private final StorageUrl url;
  private final ShardIndexBuilder index = new ShardIndexBuilder();
  private final MessageDigest sha256 = Sha256.newDigest();
  private final Map<Integer, Filled> waiting = new HashMap<>();
  private @Nullable ObjectWriter writer;
  private @Nullable ShardEntry entry;
  private long position;
  private int due;
  private boolean writing;

  ShardAssembly(PlannedShard plan, Storage storage, StorageUrl dataset) {
    this.plan = plan;
    this.storage = storage;
    this.url = dataset.resolve(plan.name());
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
        finish();
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
    List<PackedSample> samples = filled.packed();
    if (samples == null) {
      PlannedSample sample = filled.segment().samples().getFirst();
      samples = List.of(reading.stream(sample, filled.buffer(), this::append));
    } else {
      append(filled.buffer());
    }
    for (PackedSample sample : samples) {
      for (PackedSample.Member member : sample.members()) {
        index.addMember(member.name(), start + member.offset(), member.size(), member.crc32c());
      }
      index.endSample(sample.digest().bytes());
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

  private void finish() throws IOException {
    if (position != plan.membersLength()) {
      throw new IllegalStateException(
          url + " has " + position + " bytes where " + plan.membersLength() + " were planned");
    }
    append(ByteBuffer.allocate(TarLayout.endLength(position)));
    try (ObjectWriter shard = writer) {
      if (shard != null) {
        shard.commit();
      }
    }
    Sha256 shardSha256 = Sha256.of(sha256.digest());
    ByteBuffer file = index.build(position, shardSha256.bytes());
    storage.write(url.parent().resolve(url.name() + ShardIndex.SUFFIX), file.duplicate());
    ShardEntry.IndexEntry indexEntry =
        new ShardEntry.IndexEntry(
            plan.name() + ShardIndex.SUFFIX, file.remaining(), Sha256.digest(file.duplicate()));
    ShardEntry written =
        new ShardEntry(
            plan.name(),
            position,
            index.samples(),
            index.members(),
            shardSha256,
            Sha256.digest(index.sampleDigests()),
            indexEntry);
    synchronized (this) {
      entry = written;
    }
  }

  /** What the manifest says of the shard; null before it is finished. */
  synchronized @Nullable ShardEntry entry() {
    return entry;
  }

  /** Throws away what was written of a shard that is not finished. */
  void discard() throws IOException {
    if (writer != null) {
      writer.close();
    }
  }
}
