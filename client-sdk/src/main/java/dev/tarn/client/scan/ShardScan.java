package dev.tarn.client.scan;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.DecompressedStream;
import dev.tarn.shard.compression.SourceStream;
import dev.tarn.shard.index.ShardIndexBuilder;
import dev.tarn.shard.index.ShardRestarts;
import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.zip.CRC32C;

/**
 * The result of reading a shard from beginning to end, of any compression and with members in any
 * order.
 *
 * @param stored the stored file
 * @param storedCrc32c of the stored file
 * @param length of the uncompressed shard in bytes
 * @param restarts where it can be entered, if it is compressed
 * @param trailing the error that bytes other than padding follow the archive's end, if any do
 */
public record ShardScan(
    StoredObject stored,
    int storedCrc32c,
    long length,
    Optional<ShardRestarts> restarts,
    Optional<ShardFormatException> trailing) {
  private static final int BUFFER_BYTES = 128 * 1024;

  /** Receives the contents of a shard, in its order. */
  public interface Samples {
    /**
     * Receives a member of a sample.
     *
     * @param isFirst whether it is the sample's first member
     */
    void member(TarMember member, boolean isFirst, int crc32c);

    /**
     * Receives the end of a sample.
     *
     * @param digest see {@link dev.tarn.shard.sample.SampleDigest}
     */
    void end(byte[] digest);
  }

  /**
   * The index of a shard that was read.
   *
   * @param shard the file that was read
   * @param file the bytes of the index
   */
  public record Indexed(StoredObject shard, ByteBuffer file) {}

  /**
   * Reads a shard.
   *
   * @param temporary the folder for what does not fit into memory
   * @throws IOException if it cannot be read, or is not a shard
   */
  public static ShardScan read(
      Storage storage, StorageUrl shard, Path temporary, ScanProgress progress, Samples samples)
      throws IOException {
    String name = shard.printable();
    try (ObjectStream stored = storage.open(shard)) {
      StoredStream counted = new StoredStream(stored, progress);
      SourceStream source = new SourceStream(counted);
      RestartStream plain = RestartStream.open(name, source);
      InputStream named = new DecompressedStream(name, 0, source, plain);
      try (SampleReplay replay =
              plain.compression().isPresent()
                  ? new SpooledReplay(temporary)
                  : new StoredReplay(storage, stored.object());
          TarReader reader = TarReader.of(name, named)) {
        read(name, reader, new AnyOrderDigest(replay), progress, samples);
        return new ShardScan(
            stored.object(),
            counted.crc32c(),
            reader.position(),
            plain.restarts(stored.object().size()),
            Optional.ofNullable(reader.trailing()));
      }
    }
  }

  /**
   * Reads a shard and makes its index.
   *
   * @param temporary the folder for what does not fit into memory
   * @throws IOException if it cannot be read, is not a shard, or has bytes behind its end
   */
  public static Indexed index(
      Storage storage, StorageUrl shard, Path temporary, ScanProgress progress) throws IOException {
    return index(storage, shard, temporary, progress, members -> {});
  }

  /**
   * Reads a shard and makes its index.
   *
   * @param temporary the folder for what does not fit into memory
   * @param building receives the number of members before the index is made of them
   * @throws IOException if it cannot be read, is not a shard, or has bytes behind its end
   */
  public static Indexed index(
      Storage storage,
      StorageUrl shard,
      Path temporary,
      ScanProgress progress,
      IntConsumer building)
      throws IOException {
    ShardIndexBuilder index = new ShardIndexBuilder();
    ShardScan scan =
        read(
            storage,
            shard,
            temporary,
            progress,
            new Samples() {
              @Override
              public void member(TarMember member, boolean isFirst, int crc32c) {
                index.addMember(member.name(), member.dataOffset(), member.size(), crc32c);
              }

              @Override
              public void end(byte[] digest) {
                index.endSample(digest);
              }
            });
    if (scan.trailing.isPresent()) {
      throw scan.trailing.orElseThrow();
    }
    building.accept(index.members());
    return new Indexed(
        scan.stored,
        scan.restarts.isPresent()
            ? index.build(scan.length, scan.storedCrc32c, scan.restarts.orElseThrow())
            : index.build(scan.length, scan.storedCrc32c));
  }

  private static void read(
      String shard, TarReader reader, AnyOrderDigest digest, ScanProgress progress, Samples samples)
      throws IOException {
    SampleGrouping grouping = new SampleGrouping(shard);
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    CRC32C crc = new CRC32C();
    for (TarMember member; (member = reader.next()) != null; ) {
      SampleGrouping.Role role = grouping.add(member);
      if (role == SampleGrouping.Role.OUTSIDE) {
        continue;
      }
      boolean isFirst = role == SampleGrouping.Role.FIRST;
      if (isFirst && !digest.isEmpty()) {
        samples.end(digest.finish());
      }
      digest.begin(grouping.extension(), member.size(), member.dataOffset());
      crc.reset();
      while (reader.read(buffer.clear()) >= 0) {
        crc.update(buffer.flip());
        digest.update(buffer.rewind());
      }
      samples.member(member, isFirst, (int) crc.getValue());
      progress.add(1, 0);
    }
    if (!digest.isEmpty()) {
      samples.end(digest.finish());
    }
  }
}
