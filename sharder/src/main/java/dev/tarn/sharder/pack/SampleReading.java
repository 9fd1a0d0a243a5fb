package dev.tarn.sharder.pack;

import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleDigest;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.shard.tar.HeaderEncoder;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.PlannedSample;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
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

  private final Source source;
  private final PackProgress progress;
  private final HeaderEncoder encoder;
  private final CRC32C crc = new CRC32C();
  private final SampleDigest digest = new SampleDigest();

  SampleReading(Source source, long time, PackProgress progress) {
    this.source = source;
    this.progress = progress;
    this.encoder = new HeaderEncoder(time);
  }

  /**
   * Appends a whole sample.
   *
   * @param buffer with room for it and for one byte more: what shows that a file has grown
   */
  PackedSample read(PlannedSample sample, ByteBuffer buffer) throws IOException {
    List<PackedSample.Member> members = new ArrayList<>(sample.members().size());
    for (PlannedMember member : sample.members()) {
      SourceFile file = member.file();
      int size = Math.toIntExact(file.size());
      encoder.encode(buffer, MemberNames.encode(member.name()), size);
      int start = buffer.position();
      buffer.limit(start + size + 1);
      int read = Reasons.naming(file, () -> source.read(file, buffer));
      if (read != size) {
        throw changed(file, read);
      }
      buffer.position(start).limit(start + size);
      crc.reset();
      crc.update(buffer);
      digest.begin(extension(member), size);
      digest.update(buffer.position(start));
      buffer.limit(buffer.capacity());
      zeros(buffer, TarLayout.padding(size));
      members.add(new PackedSample.Member(member.name(), start, size, (int) crc.getValue()));
    }
    progress.packed(sample);
    return new PackedSample(members, Sha256.of(digest.finish()));
  }

  /** Passes a sample that no buffer holds through one. */
  PackedSample stream(PlannedSample sample, ByteBuffer buffer, Drain drain) throws IOException {
    List<PackedSample.Member> members = new ArrayList<>(sample.members().size());
    long offset = 0;
    for (PlannedMember member : sample.members()) {
      SourceFile file = member.file();
      byte[] name = MemberNames.encode(member.name());
      offset += TarLayout.headerLength(name, file.size());
      encoder.encode(buffer.clear(), name, file.size());
      crc.reset();
      digest.begin(extension(member), file.size());
      Reasons.naming(file, () -> copy(file, buffer, drain));
      members.add(
          new PackedSample.Member(member.name(), offset, file.size(), (int) crc.getValue()));
      offset += file.size() + TarLayout.padding(file.size());
    }
    progress.packed(sample);
    return new PackedSample(members, Sha256.of(digest.finish()));
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
    zeros(buffer, TarLayout.padding(file.size()));
    drain.drain(buffer.flip());
    return null;
  }

  private static String extension(PlannedMember member) {
    SampleName name = SampleName.parse(member.name());
    if (name == null) {
      throw new IllegalStateException(member.name() + " was planned without key and extension");
    }
    return name.extension();
  }

  private static IOException changed(SourceFile file, long size) {
    return new IOException(
        "%s: changed while it was packed: it had %d bytes, now it has %s%d"
            .formatted(file.name(), file.size(), size > file.size() ? "at least " : "", size));
  }

  private static void zeros(ByteBuffer buffer, int count) {
    for (int i = 0; i < count; i++) {
      buffer.put((byte) 0);
    }
  }
}
