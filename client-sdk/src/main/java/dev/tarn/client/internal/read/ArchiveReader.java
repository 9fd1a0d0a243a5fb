package dev.tarn.client.internal.read;

import dev.tarn.client.internal.prefetch.Chunk;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads a whole shard by its tar headers, without an index. */
final class ArchiveReader implements ExtentReader {
  private static final int MAGIC_BYTES = 10;

  private final Prefetch prefetch;
  private final ShardSource shard;
  private final String url;
  private final long sampleBytesMax;
  private final ExtentStream stored;
  private final @Nullable BackgroundDecompression decompression;
  private final TarReader archive;
  private final SampleGrouping grouping;
  private final @Nullable MemberChecksums checksums;

  /** Members of the sample that is being read; reused for the next sample. */
  private final List<String> extensions = new ArrayList<>();

  private final List<ByteBuffer> data = new ArrayList<>();
  private @Nullable TarMember pending;
  private boolean started;

  /**
   * Starts to read.
   *
   * @param first the extent's first chunk
   * @param checksums to verify its members by, if there are any
   */
  ArchiveReader(
      Prefetch prefetch, Chunk first, @Nullable MemberChecksums checksums, long sampleBytesMax)
      throws IOException {
    this.prefetch = prefetch;
    this.shard = first.extent().shard();
    this.url = shard.url().printable();
    this.sampleBytesMax = sampleBytesMax;
    this.checksums = checksums;
    this.stored = new ExtentStream(prefetch, first);
    this.grouping = new SampleGrouping(url);
    boolean plain = Compression.of(stored.peek(MAGIC_BYTES)) == null;
    this.decompression = plain ? null : new BackgroundDecompression(prefetch, stored, url);
    this.archive =
        decompression == null
            ? TarReader.of(url, stored)
            : TarReader.of(url, decompression.bytes());
  }

  @Override
  public ShardSource shard() {
    return shard;
  }

  @Override
  public OptionalLong samples() {
    return shard.samples();
  }

  @Override
  public long position() {
    return archive.position();
  }

  @Override
  public @Nullable ReadSample next(long before) throws IOException {
    if (!started) {
      started = true;
      pending = nextOfSample();
    }
    TarMember member = pending;
    if (member == null) {
      if (checksums != null) {
        checksums.finish(position());
      }
      return null;
    }
    SampleMemory memory = new SampleMemory(prefetch);
    boolean isWhole = false;
    try {
      ReadSample sample = sample(member, before, memory);
      isWhole = true;
      return sample;
    } finally {
      if (!isWhole) {
        memory.release();
      }
    }
  }

  private ReadSample sample(TarMember first, long before, SampleMemory memory) throws IOException {
    String key = grouping.key();
    extensions.clear();
    data.clear();
    long size = 0;
    TarMember member = first;
    do {
      size += member.size();
      if (size > sampleBytesMax) {
        throw tooLarge(member, key);
      }
      extensions.add(grouping.extension());
      data.add(read(member, memory));
      member = nextOfSample();
    } while (member != null && grouping.key().equals(key));
    pending = member;
    return new ReadSample(
        key, url, first.dataOffset(), before + first.headerOffset(), extensions, data, memory);
  }

  @Override
  public void close() throws IOException {
    archive.close();
    if (decompression != null) {
      decompression.close();
    } else {
      stored.close();
    }
  }

  @Override
  public void abandon() {
    if (decompression != null) {
      decompression.abandon();
    } else {
      stored.close();
    }
  }

  private ByteBuffer read(TarMember member, SampleMemory memory) throws IOException {
    ByteBuffer bytes = archive.readData();
    // The decompressing thread reads the chunks of a compressed shard.
    Chunk chunk = decompression == null ? stored.current() : null;
    if (chunk != null && chunk.covers(member.dataOffset(), member.size())) {
      memory.hold(chunk, bytes.capacity());
    } else {
      memory.holdCopy(bytes.capacity());
    }
    if (checksums != null) {
      checksums.check(member, bytes);
    }
    return bytes;
  }

  private @Nullable TarMember nextOfSample() throws IOException {
    while (true) {
      TarMember member = archive.next();
      if (member == null || grouping.add(member) != SampleGrouping.Role.OUTSIDE) {
        return member;
      }
    }
  }

  private ShardFormatException tooLarge(TarMember member, String key) {
    return new ShardFormatException(
        url,
        member.headerOffset(),
        "sample %s exceeds the memory budget of %d bytes: set a larger one"
            .formatted(key, sampleBytesMax));
  }
}
