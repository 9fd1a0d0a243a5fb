package dev.tarn.sharder.index;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.index.ShardIndexBuilder;
import dev.tarn.shard.index.ShardRestarts;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.inspect.ShardAccess;
import dev.tarn.sharder.inspect.ShardPlace;
import dev.tarn.sharder.progress.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What a shard turns out to be when all of it is read.
 *
 * @param sha256 of the stored file
 * @param size of the stored file
 * @param compression of the stored file
 * @param samples how many it has
 * @param members how many the samples have together
 * @param samplesSha256 over the samples' digests
 * @param index the index that describes it
 */
public record ScannedShard(
    Sha256 sha256,
    long size,
    Optional<Compression> compression,
    long samples,
    long members,
    Sha256 samplesSha256,
    ByteBuffer index) {
  private static final int BUFFER_BYTES = 128 * 1024;

  /** What came of growing an index for so many is left to the collector. */
  private static final int MEMBERS_OF_LITTLE_GARBAGE = 64 * 1024;

  /**
   * Reads a shard of any compression and any order.
   *
   * @param progress told of members and stored bytes
   * @throws IOException if it cannot be read, or is no shard
   */
  public static ScannedShard scan(ShardAccess access, ShardPlace shard, Progress progress)
      throws IOException {
    try (ObjectStream stored = access.storage().open(shard.url())) {
      HashedStream hashed = new HashedStream(stored, progress);
      RestartStream plain = RestartStream.open(access, shard, hashed);
      Optional<Compression> compression = plain.compression();
      ShardIndexBuilder index = new ShardIndexBuilder();
      long length;
      try (SampleReplay replay =
              compression.isPresent()
                  ? new SpooledReplay()
                  : new StoredReplay(access.storage(), shard.url());
          TarReader reader = TarReader.of(shard.toString(), (InputStream) plain)) {
        read(shard, reader, index, new AnyOrderDigest(replay), progress);
        length = reader.position();
      }
      Sha256 sha256 = hashed.sha256();
      collectGarbage(index);
      Sha256 samplesSha256 = Sha256.digest(index.sampleDigests());
      Optional<ShardRestarts> restarts = plain.restarts(stored.end());
      return new ScannedShard(
          sha256,
          stored.end(),
          compression,
          index.samples(),
          index.members(),
          samplesSha256,
          restarts.isPresent()
              ? index.build(length, sha256.bytes(), restarts.orElseThrow())
              : index.build(length, sha256.bytes()));
    }
  }

  /** The collector would rather grow the heap, up to all that it may, than look through it. */
  private static void collectGarbage(ShardIndexBuilder index) {
    if (index.members() > MEMBERS_OF_LITTLE_GARBAGE) {
      System.gc();
    }
  }

  private static void read(
      ShardPlace shard,
      TarReader reader,
      ShardIndexBuilder index,
      AnyOrderDigest digest,
      Progress progress)
      throws IOException {
    SampleGrouping grouping = new SampleGrouping(shard.toString());
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    for (TarMember member; (member = reader.next()) != null; ) {
      SampleGrouping.Place place = grouping.add(member);
      if (place == SampleGrouping.Place.OUTSIDE) {
        continue;
      }
      if (place == SampleGrouping.Place.FIRST && !digest.isEmpty()) {
        index.endSample(digest.finish());
      }
      String extension = requireNonNull(grouping.current(), "a member was added").extension();
      digest.begin(extension, member.size(), member.dataOffset());
      CRC32C crc = new CRC32C();
      while (reader.read(buffer.clear()) >= 0) {
        crc.update(buffer.flip());
        digest.update(buffer.rewind());
      }
      index.addMember(member.name(), member.dataOffset(), member.size(), (int) crc.getValue());
      progress.add(1, 0);
    }
    if (!digest.isEmpty()) {
      index.endSample(digest.finish());
    }
  }
}
