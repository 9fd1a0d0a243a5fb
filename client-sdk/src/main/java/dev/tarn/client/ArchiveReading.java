package dev.tarn.client;

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

/** The samples of a whole shard, told apart by the archive's headers: no index is needed. */
final class ArchiveReading implements ExtentReading {
  private static final int MAGIC_BYTES = 10;

  private final Prefetch prefetch;
  private final ShardSource shard;
  private final String url;
  private final long sampleBytesMax;
  private final ShardTape tape;
  private final @Nullable DecompressedTape decompressed;
  private final TarReader archive;
  private final SampleGrouping grouping;
  private final @Nullable MemberChecksums checksums;

  /** Those of the sample at hand, taken again for the next one. */
  private final List<String> extensions = new ArrayList<>();

  private final List<ByteBuffer> data = new ArrayList<>();
  private @Nullable TarMember pending;
  private boolean started;

  /**
   * @param first the extent's first chunk
   * @param checksums to hold its members against, if there are any
   */
  ArchiveReading(
      Prefetch prefetch, Chunk first, @Nullable MemberChecksums checksums, long sampleBytesMax)
      throws IOException {
    this.prefetch = prefetch;
    this.shard = first.extent().shard();
    this.url = shard.url().printable();
    this.sampleBytesMax = sampleBytesMax;
    this.checksums = checksums;
    this.tape = new ShardTape(prefetch, first);
    this.grouping = new SampleGrouping(url);
    boolean plain = Compression.of(tape.peek(MAGIC_BYTES)) == null;
    this.decompressed = plain ? null : new DecompressedTape(prefetch, tape, url);
    this.archive =
        decompressed == null ? TarReader.of(url, tape) : TarReader.of(url, decompressed.stream());
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
  public @Nullable Placed next(long before) throws IOException {
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
      Sample sample = sample(member, memory);
      isWhole = true;
      return new Placed(sample, before + member.headerOffset());
    } finally {
      if (!isWhole) {
        memory.release();
      }
    }
  }

  private Sample sample(TarMember first, SampleMemory memory) throws IOException {
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
    return new Sample(key, url, first.dataOffset(), extensions, data, memory);
  }

  @Override
  public void close() throws IOException {
    archive.close();
    if (decompressed != null) {
      decompressed.close();
    }
    tape.close();
  }

  @Override
  public void abandon() {
    if (decompressed != null) {
      decompressed.abandon();
    }
    tape.close();
  }

  private ByteBuffer read(TarMember member, SampleMemory memory) throws IOException {
    ByteBuffer bytes = archive.readData();
    // A compressed shard's tape is the decompressing thread's.
    Chunk chunk = decompressed == null ? tape.current() : null;
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
      if (member == null || grouping.add(member) != SampleGrouping.Place.OUTSIDE) {
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
