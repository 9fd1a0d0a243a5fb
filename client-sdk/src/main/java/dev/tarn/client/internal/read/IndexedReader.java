package dev.tarn.client.internal.read;

import dev.tarn.client.internal.prefetch.Chunk;
import dev.tarn.client.internal.prefetch.Extent;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.IndexedSample;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.order.SampleRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads some or all samples of a shard by its index, and skips the bytes between them. */
final class IndexedReader implements ExtentReader {
  private static final int BUFFER_LENGTH_MAX = Integer.MAX_VALUE - 8;

  private final Prefetch prefetch;
  private final Extent extent;
  private final String url;
  private final ShardIndex index;
  private final boolean verifies;
  private final long sampleBytesMax;
  private final ExtentBytes bytes;
  private final Iterator<SampleRun> runs;
  private int next;
  private int end;
  private long position;

  /**
   * Starts to read.
   *
   * @param first the extent's first chunk
   * @param verifies whether members are verified against the CRC32C in the index
   */
  IndexedReader(Prefetch prefetch, Chunk first, boolean verifies, long sampleBytesMax) {
    this.prefetch = prefetch;
    this.extent = first.extent();
    this.url = extent.shard().url().printable();
    this.index = first.index().orElseThrow();
    this.verifies = verifies;
    this.sampleBytesMax = sampleBytesMax;
    this.runs = extent.runs().iterator();
    this.end = extent.isWhole() ? index.sampleCount() : 0;
    this.bytes = bytes(first);
  }

  private ExtentBytes bytes(Chunk first) {
    ExtentStream stored = new ExtentStream(prefetch, first);
    if (index.restarts().isEmpty()) {
      return new PlainBytes(url, stored, first.offset());
    }
    return new DecompressedBytes(
        url, new BackgroundDecompression(prefetch, stored, url), first.layout().uncompressed());
  }

  @Override
  public ShardSource shard() {
    return extent.shard();
  }

  @Override
  public OptionalLong samples() {
    return extent.isWhole() ? OptionalLong.of(index.sampleCount()) : extent.samples();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public @Nullable ReadSample next(long before) throws IOException, DamagedSampleException {
    if (next == end) {
      if (!runs.hasNext()) {
        return null;
      }
      SampleRun run = runs.next();
      next = run.from();
      end = run.to();
    }
    IndexedSample sample = index.sample(next);
    next++;
    long offset = sample.members().get(0).offset();
    if (sample.size() > Math.min(sampleBytesMax, BUFFER_LENGTH_MAX)) {
      ShardFormatException tooLarge =
          new ShardFormatException(
              url,
              offset,
              "sample %s exceeds the memory budget of %d bytes: set a larger one"
                  .formatted(sample.key(), sampleBytesMax));
      throw new DamagedSampleException(sample.members().get(0).name(), tooLarge);
    }
    List<String> extensions = new ArrayList<>(sample.members().size());
    List<ByteBuffer> data = new ArrayList<>(sample.members().size());
    SampleMemory memory = new SampleMemory(prefetch);
    boolean isWhole = false;
    try {
      for (IndexedMember member : sample.members()) {
        extensions.add(member.extension());
        data.add(read(member, memory));
      }
      isWhole = true;
    } finally {
      if (!isWhole) {
        memory.release();
      }
    }
    return new ReadSample(sample.key(), url, offset, before + offset, extensions, data, memory);
  }

  private ByteBuffer read(IndexedMember member, SampleMemory memory)
      throws IOException, DamagedSampleException {
    ByteBuffer data = bytes.read(member.offset(), (int) member.size(), memory);
    position = member.offset() + member.size();
    try {
      if (verifies) {
        member.verify(url, data.duplicate());
      }
    } catch (ShardFormatException e) {
      throw new DamagedSampleException(member.name(), e);
    }
    return data;
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }

  @Override
  public void abandon() {
    bytes.abandon();
  }
}
