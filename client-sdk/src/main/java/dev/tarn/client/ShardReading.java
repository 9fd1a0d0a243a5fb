package dev.tarn.client;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.decompress.Decompressors;
import dev.tarn.client.prefetch.BackgroundStream;
import dev.tarn.client.prefetch.Chunk;
import dev.tarn.client.prefetch.Prefetch;
import dev.tarn.client.shards.ShardSource;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The samples of one shard under way: chunks in, samples that view them out. */
final class ShardReading {
  private static final int MAGIC_BYTES = 10;

  /**
   * A sample with its place.
   *
   * @param offset where its first header lies in the uncompressed shard
   */
  record Placed(Sample sample, long offset) {}

  private final Prefetch prefetch;
  private final ShardSource shard;
  private final String url;
  private final long sampleBytesMax;
  private final ShardTape tape;
  private final boolean plain;
  private final TarReader archive;
  private final SampleGrouping grouping;
  private final @Nullable Chunk index;
  private final @Nullable MemberChecksums checksums;
  private @Nullable TarMember pending;
  private boolean started;

  private ShardReading(Prefetch prefetch, Chunk first, @Nullable Chunk index, long sampleBytesMax)
      throws IOException {
    this.prefetch = prefetch;
    this.shard = first.shard();
    this.url = shard.url().toString();
    this.sampleBytesMax = sampleBytesMax;
    this.index = index;
    this.checksums = index == null ? null : checksums(index);
    this.tape = new ShardTape(prefetch, first);
    this.grouping = new SampleGrouping(url);
    this.plain = Compression.of(tape.peek(MAGIC_BYTES)) == null;
    this.archive = plain ? TarReader.of(url, tape) : TarReader.of(url, decompressed());
  }

  /** That thread takes the shard's parts until its end, in this one's place. */
  private InputStream decompressed() {
    int aheadBytes = aheadBytes();
    prefetch.account(aheadBytes);
    return new BackgroundStream(
        work -> prefetch.start("tarn-decompress", work),
        () -> new ShardStreams(Decompressors.ALL).open(url, tape.stream()),
        aheadBytes);
  }

  /** Half a part, of the share of the budget that is set aside for copies. */
  private int aheadBytes() {
    return prefetch.chunkBytes() / 2;
  }

  /** Starts on the next shard; null if there is none. */
  static @Nullable ShardReading next(Prefetch prefetch, long sampleBytesMax) throws IOException {
    Chunk first = prefetch.take();
    if (first == null) {
      return null;
    }
    if (first.kind() != Chunk.Kind.INDEX) {
      return new ShardReading(prefetch, first, null, sampleBytesMax);
    }
    Chunk start = requireNonNull(prefetch.take(), "an index comes before its shard");
    return new ShardReading(prefetch, start, first, sampleBytesMax);
  }

  private static MemberChecksums checksums(Chunk index) throws IOException {
    ShardSource.IndexFile file = index.shard().index().orElseThrow();
    ShardIndex parsed = ShardIndex.of(file.url().toString(), index.bytes());
    parsed.verify();
    return new MemberChecksums(index.shard().url().toString(), parsed);
  }

  ShardSource shard() {
    return shard;
  }

  /** The offset in the uncompressed shard up to which it was read. */
  long position() {
    return archive.position();
  }

  /** The next sample; null at the shard's end, when {@link #position} is its length. */
  @Nullable Placed next() throws IOException {
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
    long offset = member.headerOffset();
    String key = name().key();
    List<String> extensions = new ArrayList<>(4);
    List<ByteBuffer> data = new ArrayList<>(4);
    SampleMemory memory = new SampleMemory(prefetch);
    long size = 0;
    do {
      size += member.size();
      if (size > sampleBytesMax) {
        throw tooLarge(member, key);
      }
      extensions.add(name().extension());
      data.add(read(member, memory));
      member = nextOfSample();
    } while (member != null && name().key().equals(key));
    pending = member;
    return new Placed(new Sample(key, url, extensions, data, memory), offset);
  }

  /** Lets go of the memory that the shard's rest lies in. */
  void close() throws IOException {
    archive.close();
    if (!plain) {
      prefetch.account(-aheadBytes());
    }
    tape.close();
    if (index != null) {
      index.release();
    }
  }

  private ByteBuffer read(TarMember member, SampleMemory memory) throws IOException {
    ByteBuffer bytes = archive.readData();
    // A compressed shard's tape is the decompressing thread's.
    Chunk chunk = plain ? tape.current() : null;
    if (chunk != null && chunk.covers(member.dataOffset(), member.size())) {
      memory.hold(chunk);
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

  private SampleName name() {
    return requireNonNull(grouping.current(), "no member was added");
  }

  private ShardFormatException tooLarge(TarMember member, String key) {
    return new ShardFormatException(
        url,
        member.headerOffset(),
        "sample %s exceeds the memory budget of %d bytes: set a larger one"
            .formatted(key, sampleBytesMax));
  }
}
