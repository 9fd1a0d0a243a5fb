package dev.tarn.sharder.verify;

import dev.tarn.shard.index.ShardIndexBuilder;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleDigest;
import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a shard turns out to be when all of it is read.
 *
 * @param sha256 of the file
 * @param samples how many it has
 * @param members how many the samples have together
 * @param samplesSha256 over the samples' digests
 * @param index the index that describes it
 */
record ScannedShard(
    Sha256 sha256, long samples, long members, Sha256 samplesSha256, ByteBuffer index) {
  private static final int BUFFER_SIZE = 128 * 1024;

  /**
   * Reads an uncompressed shard.
   *
   * @throws IOException if it cannot be read, or is no shard as we write them
   */
  static ScannedShard scan(String shard, InputStream stream) throws IOException {
    MessageDigest sha256 = Sha256.newDigest();
    ShardIndexBuilder index = new ShardIndexBuilder();
    long length;
    try (TarReader reader = TarReader.of(shard, new DigestInputStream(stream, sha256))) {
      scanSamples(shard, reader, index);
      length = reader.position();
    }
    Sha256 digest = Sha256.of(sha256.digest());
    Sha256 samplesDigest = Sha256.digest(index.sampleDigests());
    return new ScannedShard(
        digest,
        index.samples(),
        index.members(),
        samplesDigest,
        index.build(length, digest.bytes()));
  }

  private static void scanSamples(String shard, TarReader reader, ShardIndexBuilder index)
      throws IOException {
    SampleGrouping grouping = new SampleGrouping(shard);
    SampleDigest digest = new SampleDigest();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_SIZE);
    String before = null;
    for (TarMember member; (member = reader.next()) != null; ) {
      SampleGrouping.Place place = grouping.add(member);
      if (place == SampleGrouping.Place.OUTSIDE) {
        continue;
      }
      String extension = Objects.requireNonNull(grouping.current()).extension();
      if (place == SampleGrouping.Place.FIRST && index.members() > 0) {
        index.endSample(digest.finish());
      } else if (place == SampleGrouping.Place.FURTHER) {
        requireOrder(shard, member, before, extension);
      }
      digest.begin(extension, member.size());
      int crc = read(reader, buffer, digest);
      index.addMember(member.name(), member.dataOffset(), member.size(), crc);
      before = extension;
    }
    if (index.members() > 0) {
      index.endSample(digest.finish());
    }
  }

  private static int read(TarReader reader, ByteBuffer buffer, SampleDigest digest)
      throws IOException {
    CRC32C crc = new CRC32C();
    while (reader.read(buffer.clear()) >= 0) {
      crc.update(buffer.flip());
      digest.update(buffer.rewind());
    }
    return (int) crc.getValue();
  }

  private static void requireOrder(
      String shard, TarMember member, @Nullable String before, String extension)
      throws IOException {
    if (before != null && MemberNames.compare(before, extension) > 0) {
      throw new IOException(
          "%s at byte %d: member %s is not in the order of extensions, as this dataset's are"
              .formatted(shard, member.headerOffset(), MemberNames.printable(member.name())));
    }
  }
}
