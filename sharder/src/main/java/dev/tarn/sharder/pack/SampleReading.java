package dev.tarn.sharder.pack;

import dev.tarn.shard.sample.SampleDigest;
import dev.tarn.shard.tar.HeaderEncoder;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.compress.BlockCompressor.Drain;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.ShardPlan;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads samples from the source and lays them out as tar, with checksums. Each worker has its own
 * instance, which reuses its encoder and checksums.
 */
final class SampleReading {
  private static final int DIGEST_LENGTH = 32;
  private static final byte[] ZEROS = new byte[TarLayout.BLOCK];

  private final List<? extends Source> sources;
  private final LostSamples lostSamples;
  private final Progress progress;
  private final HeaderEncoder encoder;
  private final CRC32C crc = new CRC32C();
  private final SampleDigest digest = new SampleDigest();

  /**
   * @param time of every member, in seconds since 1970
   */
  SampleReading(
      long time, List<? extends Source> sources, LostSamples lostSamples, Progress progress) {
    this.sources = sources;
    this.lostSamples = lostSamples;
    this.progress = progress;
    this.encoder = new HeaderEncoder(time);
  }

  /**
   * Appends all samples of a block except those that are lost.
   *
   * @param buffer with room for the samples and one more byte, which detects a file that has grown
   */
  PackedMembers read(SampleBlock block, ByteBuffer buffer) throws IOException {
    ShardPlan plan = block.shard().plan();
    int[] crc32c = new int[block.to() - block.from()];
    byte[] digests = new byte[block.samples() * DIGEST_LENGTH];
    BitSet lost = new BitSet();
    int start = buffer.position();
    long bytes = 0;
    int sample = 0;
    for (int first = block.from(); first < block.to(); first = plan.sampleEnd(first)) {
      int sampleStart = buffer.position();
      if (readSample(block, first, crc32c, buffer)) {
        digest.finish(digests, sample * DIGEST_LENGTH);
      } else {
        buffer.position(sampleStart);
        lost.set(sample);
      }
      sample++;
    }
    for (int number = block.from(); number < block.to(); number++) {
      bytes += plan.size(number);
    }
    int length = buffer.position() - start;
    buffer.flip();
    progress.add(crc32c.length, bytes);
    return new PackedMembers(crc32c, digests, lost, length);
  }

  /** Appends a sample; returns false if it is lost. */
  private boolean readSample(SampleBlock block, int first, int[] crc32c, ByteBuffer buffer)
      throws IOException {
    ShardPlan plan = block.shard().plan();
    int shard = block.shard().number();
    if (lostSamples.contains(shard, first)) {
      return false;
    }
    int end = plan.sampleEnd(first);
    for (int number = first; number < end; number++) {
      PlannedMember member = plan.member(number);
      try {
        crc32c[number - block.from()] = read(member, buffer);
      } catch (IOException e) {
        digest.finish();
        buffer.limit(buffer.capacity());
        lostSamples.add(shard, first, member, e);
        return false;
      }
    }
    return true;
  }

  private int read(PlannedMember member, ByteBuffer buffer) throws IOException {
    SourceFile file = member.file();
    int size = Math.toIntExact(file.size());
    encoder.encode(buffer, member.nameBytes(), size);
    int start = buffer.position();
    buffer.limit(start + size + 1);
    int read = read(member.sourceNumber(), file, buffer);
    if (read != size) {
      throw changed(file, read);
    }
    buffer.position(start).limit(start + size);
    crc.reset();
    crc.update(buffer);
    digest.begin(member.extension(), size);
    digest.update(buffer.position(start));
    buffer.limit(buffer.capacity());
    buffer.put(ZEROS, 0, TarLayout.padding(size));
    return (int) crc.getValue();
  }

  private int read(int source, SourceFile file, ByteBuffer buffer) throws IOException {
    ByteBuffer content = file.content();
    if (content == null) {
      return sources.get(source).read(file, buffer);
    }
    buffer.put(content);
    return (int) file.size();
  }

  /**
   * Streams a sample that is larger than any buffer.
   *
   * @throws ShardRestartException if the sample is lost after some of it was written
   */
  PackedMembers stream(SampleBlock block, ByteBuffer buffer, Drain drain) throws IOException {
    ShardPlan plan = block.shard().plan();
    int shard = block.shard().number();
    int[] crc32c = new int[block.to() - block.from()];
    byte[] digests = new byte[DIGEST_LENGTH];
    BitSet lost = new BitSet();
    lost.set(0, lostSamples.contains(shard, block.from()));
    CountingDrain counting = new CountingDrain(drain);
    for (int number = block.from(); number < block.to() && lost.isEmpty(); number++) {
      PlannedMember member = plan.member(number);
      SourceFile file = member.file();
      encoder.encode(buffer.clear(), member.nameBytes(), file.size());
      crc.reset();
      digest.begin(member.extension(), file.size());
      try {
        copy(member.sourceNumber(), file, buffer, counting);
      } catch (DrainException e) {
        throw e.failure;
      } catch (IOException e) {
        lostSamples.add(shard, block.from(), member, e);
        if (counting.length > 0) {
          throw new ShardRestartException(plan.shard().name(), e);
        }
        lost.set(0);
      }
      crc32c[number - block.from()] = (int) crc.getValue();
    }
    digest.finish(digests, 0);
    progress.add(crc32c.length, 0);
    return new PackedMembers(crc32c, digests, lost, counting.length);
  }

  /** Separates failures to write from failures to read: a failed read loses only one sample. */
  private static final class CountingDrain implements Drain {
    private final Drain drain;
    private long length;

    CountingDrain(Drain drain) {
      this.drain = drain;
    }

    @Override
    public void drain(ByteBuffer bytes) throws IOException {
      length += bytes.remaining();
      try {
        drain.drain(bytes);
      } catch (IOException e) {
        throw new DrainException(e);
      }
    }
  }

  private static final class DrainException extends IOException {
    private static final long serialVersionUID = 1L;

    private final IOException failure;

    DrainException(IOException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  /** Copies a member; the buffer already holds its header. */
  private @Nullable Void copy(int source, SourceFile file, ByteBuffer buffer, Drain drain)
      throws IOException {
    long left = file.size();
    try (ReadableByteChannel channel = open(source, file)) {
      int start = buffer.position();
      while (channel.read(buffer) >= 0) {
        int read = buffer.position() - start;
        left -= read;
        progress.add(0, read);
        if (left < 0) {
          throw changed(file, file.size() - left);
        }
        ByteBuffer data = buffer.duplicate().flip().position(start);
        crc.update(data.duplicate());
        digest.update(data);
        if (buffer.remaining() < TarLayout.BLOCK) {
          drain.drain(buffer.flip());
          buffer.clear();
        }
        start = buffer.position();
      }
    }
    if (left > 0) {
      throw changed(file, file.size() - left);
    }
    buffer.put(ZEROS, 0, TarLayout.padding(file.size()));
    drain.drain(buffer.flip());
    return null;
  }

  private ReadableByteChannel open(int source, SourceFile file) throws IOException {
    ByteBuffer content = file.content();
    if (content == null) {
      return sources.get(source).open(file);
    }
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    return Channels.newChannel(new ByteArrayInputStream(bytes));
  }

  private static IOException changed(SourceFile file, long size) {
    return new IOException(
        "%s: changed while it was packed: it had %d bytes, now it has %s%d"
            .formatted(file.name(), file.size(), size > file.size() ? "at least " : "", size));
  }
}
