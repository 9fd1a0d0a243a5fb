package dev.tarn.client;

import dev.tarn.client.decode.Decoders;
import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.internal.index.SampleKeys;
import dev.tarn.client.internal.read.ReadSample;
import dev.tarn.client.internal.shards.SampleNumbers;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.internal.stage.RetainedMemory;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.IndexedSample;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardRanges;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Reads single samples by number or key, each by one ranged read; in a compressed shard from the
 * restart before it. The samples' bytes stay valid. Safe for several threads.
 */
final class SampleAccess {

  private final Storage storage;
  private final List<ShardSource> shards;
  private final SampleNumbers numbers;
  private final IndexStore indexes;
  private final Decoders decoders;
  private final boolean verifies;
  private final long sampleBytesMax;
  private final int connections;
  private final Object keysLock = new Object();
  private volatile @Nullable SampleKeys keys;

  /**
   * Makes the access.
   *
   * @param shards of known lengths, all with an index
   * @param decoders by which the samples decode their members
   * @param verifies whether members are verified against the CRC32C in the index
   * @param connections how many indexes are fetched at a time when all are needed
   */
  SampleAccess(
      Storage storage,
      List<ShardSource> shards,
      IndexStore indexes,
      Decoders decoders,
      boolean verifies,
      long sampleBytesMax,
      int connections) {
    this.storage = storage;
    this.shards = shards;
    this.numbers = SampleNumbers.of(shards);
    this.indexes = indexes;
    this.decoders = decoders;
    this.verifies = verifies;
    this.sampleBytesMax = sampleBytesMax;
    this.connections = connections;
  }

  /**
   * The sample of a number, counted through the shards in their order.
   *
   * @throws IndexOutOfBoundsException if there are not so many
   * @throws DatasetException if it cannot be read
   */
  Sample get(long number) {
    ShardSource shard = shards.get(numbers.shard(number));
    try {
      return read(shard, indexes.get(shard).sample(numbers.within(number)));
    } catch (IOException e) {
      long offset = e instanceof ShardFormatException format ? format.offset() : 0;
      throw new DatasetException(shard.url(), offset, shard.reason(e), e);
    }
  }

  /**
   * The first sample of a key.
   *
   * @throws NoSuchElementException if there is none
   * @throws UncheckedIOException if an index cannot be read
   * @throws DatasetException if the sample cannot be read
   */
  Sample get(String key) {
    long number;
    try {
      number = keys().find(key).orElse(-1);
    } catch (IOException e) {
      throw new UncheckedIOException("the key " + key + " cannot be looked up", e);
    }
    if (number < 0) {
      throw new NoSuchElementException(
          "none of the dataset's %d samples has the key %s".formatted(numbers.count(), key));
    }
    return get(number);
  }

  private SampleKeys keys() throws IOException {
    SampleKeys loaded = keys;
    if (loaded == null) {
      synchronized (keysLock) {
        loaded = keys;
        if (loaded == null) {
          loaded = indexes.keys(shards, connections);
          keys = loaded;
        }
      }
    }
    return loaded;
  }

  private Sample read(ShardSource shard, IndexedSample sample) throws IOException {
    String url = shard.url().printable();
    List<IndexedMember> members = sample.members();
    IndexedMember last = members.get(members.size() - 1);
    long start = members.get(0).offset();
    long length = last.offset() + last.size() - start;
    if (length > Math.min(sampleBytesMax, Integer.MAX_VALUE - 8)) {
      throw new ShardFormatException(
          url,
          start,
          "sample %s exceeds the memory budget of %d bytes: set a larger one"
              .formatted(sample.key(), sampleBytesMax));
    }
    ByteBuffer bytes = ByteBuffer.wrap(read(shard, start, (int) Math.max(0, length)));
    List<String> extensions = new ArrayList<>(members.size());
    List<ByteBuffer> data = new ArrayList<>(members.size());
    for (IndexedMember member : members) {
      long offset = member.offset() - start;
      if (offset < 0 || offset + member.size() > bytes.capacity()) {
        throw new ShardFormatException(
            url, member.offset(), "the index has members out of order: it is corrupt");
      }
      ByteBuffer view = bytes.slice((int) offset, (int) member.size());
      if (verifies) {
        member.verify(url, view.duplicate());
      }
      extensions.add(member.extension());
      data.add(view);
    }
    ReadSample read =
        new ReadSample(sample.key(), url, start, start, extensions, data, RetainedMemory.NOTHING);
    return new Sample(read, decoders);
  }

  private byte[] read(ShardSource shard, long offset, int length) throws IOException {
    ShardIndex index = indexes.get(shard);
    ShardRanges ranges =
        new ShardRanges(shard.url().printable(), index, (from, to) -> open(shard, from, to));
    try (InputStream bytes = ranges.open(offset, offset + length)) {
      byte[] read = new byte[length];
      new DataInputStream(bytes).readFully(read);
      return read;
    }
  }

  private ObjectStream open(ShardSource shard, long from, long to) throws IOException {
    ObjectStream stream = storage.open(shard.url(), from, to, shard.etag().orElse(null));
    boolean isRight = false;
    try {
      shard.requireSame(stream.object());
      isRight = true;
      return stream;
    } finally {
      if (!isRight) {
        stream.close();
      }
    }
  }
}
