package dev.tarn.sharder.pack;

import dev.tarn.shard.sample.SampleDigest;
import dev.tarn.shard.tar.HeaderEncoder;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.plan.PackPlan;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.progress.Progress;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads samples from the source and lays them out as tar, with their checksums. One for each
 * worker: it keeps what can be used again.
 */
final class SampleReading {
  /** Takes a full buffer away, so that it can be filled again. */
  interface Drain {
    void drain(ByteBuffer bytes) throws IOException;
  }

  private static final int DIGEST_LENGTH = 32;
  private static final byte[] ZEROS = new byte[TarLayout.BLOCK];

  private final PackPlan plan;
  private final Source source;
  private final Progress progress;
  private final HeaderEncoder encoder;
  private final CRC32C crc = new CRC32C();
  private final SampleDigest digest = new SampleDigest();

  SampleReading(PackPlan plan, Source source, Progress progress) {
    this.plan = plan;
    this.source = source;
    this.progress = progress;
    this.encoder = new HeaderEncoder(plan.options().time());
  }

  /**
   * Appends all samples of a segment.
   *
   * @param buffer with room for them and for one byte more: what shows that a file has grown
   */
  PackedMembers read(Segment segment, ByteBuffer buffer) throws IOException {
    int[] crc32c = new int[segment.to() - segment.from()];
    byte[] digests = new byte[segment.samples() * DIGEST_LENGTH];
    int sampleEnd = plan.sampleEnd(segment.from());
    int digested = 0;
    long bytes = 0;
    for (int number = segment.from(); number < segment.to(); number++) {
      if (number == sampleEnd) {
        digest.finish(digests, digested);
        digested += DIGEST_LENGTH;
        sampleEnd = plan.sampleEnd(number);
      }
      crc32c[number - segment.from()] = read(plan.member(number), buffer);
      bytes += plan.size(number);
    }
    digest.finish(digests, digested);
    buffer.flip();
    progress.add(crc32c.length, bytes);
    return new PackedMembers(crc32c, digests);
  }

  private int read(PlannedMember member, ByteBuffer buffer) throws IOException {
    SourceFile file = member.file();
    int size = Math.toIntExact(file.size());
    encoder.encode(buffer, member.nameBytes(), size);
    int start = buffer.position();
    buffer.limit(start + size + 1);
    int read = Reasons.naming(file, () -> source.read(file, buffer));
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

  /** Passes a sample that no buffer holds through one. */
  PackedMembers stream(Segment segment, ByteBuffer buffer, Drain drain) throws IOException {
    int[] crc32c = new int[segment.to() - segment.from()];
    byte[] digests = new byte[DIGEST_LENGTH];
    long bytes = 0;
    for (int number = segment.from(); number < segment.to(); number++) {
      PlannedMember member = plan.member(number);
      SourceFile file = member.file();
      encoder.encode(buffer.clear(), member.nameBytes(), file.size());
      crc.reset();
      digest.begin(member.extension(), file.size());
      Reasons.naming(file, () -> copy(file, buffer, drain));
      crc32c[number - segment.from()] = (int) crc.getValue();
      bytes += file.size();
    }
    digest.finish(digests, 0);
    progress.add(crc32c.length, bytes);
    return new PackedMembers(crc32c, digests);
  }

  /** The buffer holds the header already. */
  private @Nullable Void copy(SourceFile file, ByteBuffer buffer, Drain drain) throws IOException {
    long left = file.size();
    try (ReadableByteChannel channel = source.open(file)) {
      int start = buffer.position();
      while (channel.read(buffer) >= 0) {
        int read = buffer.position() - start;
        left -= read;
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

  private static IOException changed(SourceFile file, long size) {
    return new IOException(
        "%s: changed while it was packed: it had %d bytes, now it has %s%d"
            .formatted(file.name(), file.size(), size > file.size() ? "at least " : "", size));
  }
}
