package dev.tarn.client.write;

import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardIndexBuilder;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.sample.SampleDigest;
import dev.tarn.shard.tar.TarWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/** The shard that receives samples. It and its index become visible when it is finished. */
final class OpenShard implements Closeable {
  private static final int BUFFER_BYTES = 64 * 1024;

  /**
   * A finished shard.
   *
   * @param entry for the manifest
   * @param files the shard and its index, as stored
   */
  record Finished(ShardEntry entry, List<StoredObject> files) {}

  /** Computes a checksum of the bytes that pass. */
  private static final class ChecksummedChannel implements WritableByteChannel {
    private final ObjectWriter object;
    private final CRC32C crc = new CRC32C();

    ChecksummedChannel(ObjectWriter object) {
      this.object = object;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      crc.update(source.duplicate());
      return object.write(source);
    }

    @Override
    public boolean isOpen() {
      return object.isOpen();
    }

    @Override
    public void close() throws IOException {
      object.close();
    }
  }

  private final Storage storage;
  private final StorageUrl dataset;
  private final String name;
  private final ObjectWriter object;
  private final ChecksummedChannel channel;
  private final TarWriter tar;
  private final ShardIndexBuilder index = new ShardIndexBuilder();
  private final SampleDigest digest = new SampleDigest();
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /**
   * Begins a shard.
   *
   * @param name relative to the dataset
   */
  OpenShard(Storage storage, StorageUrl dataset, String name) throws IOException {
    this.storage = storage;
    this.dataset = dataset;
    this.name = name;
    this.object = storage.create(dataset.child(name));
    this.channel = new ChecksummedChannel(object);
    this.tar = new TarWriter(channel);
  }

  /** How many samples the shard has. */
  int samples() {
    return index.samples();
  }

  /** The length of its members so far, in bytes. */
  long length() {
    return tar.position();
  }

  void add(SampleMembers sample) throws IOException {
    for (SampleMembers.Member member : sample.members()) {
      long size = member.content().size();
      long offset = tar.begin(member.name(), size);
      digest.begin(member.extension(), size);
      index.addMember(member.name(), offset, size, copy(member));
    }
    index.endSample(digest.finish());
  }

  /** Writes a member's bytes and returns their CRC32C. */
  private int copy(SampleMembers.Member member) throws IOException {
    CRC32C crc = new CRC32C();
    long left = member.content().size();
    try (InputStream bytes = member.content().opening().open()) {
      while (left > 0) {
        int read = bytes.readNBytes(buffer, 0, (int) Math.min(buffer.length, left));
        if (read == 0) {
          throw wrongLength(member, "lacks %d bytes".formatted(left));
        }
        crc.update(buffer, 0, read);
        digest.update(ByteBuffer.wrap(buffer, 0, read));
        tar.write(ByteBuffer.wrap(buffer, 0, read));
        left -= read;
      }
      if (bytes.read() >= 0) {
        throw wrongLength(member, "has more");
      }
    }
    return (int) crc.getValue();
  }

  private static IOException wrongLength(SampleMembers.Member member, String what) {
    return new IOException(
        "member %s was said to have %d bytes and %s"
            .formatted(member.name(), member.content().size(), what));
  }

  /** Makes the shard visible, and then its index. */
  Finished finish(Optional<String> split) throws IOException {
    tar.finish();
    ByteBuffer file = index.build(tar.position(), (int) channel.crc.getValue());
    StoredObject stored = object.commit();
    StorageUrl indexUrl = dataset.child(name + ShardIndex.SUFFIX);
    StoredObject storedIndex = storage.write(indexUrl, file.duplicate());
    ShardIndex written = ShardIndex.of(indexUrl.toString(), file.duplicate());
    return new Finished(ShardEntry.of(name, split, written, file), List.of(stored, storedIndex));
  }

  /** Discards the shard unless it is finished. */
  @Override
  public void close() throws IOException {
    tar.close();
  }
}
