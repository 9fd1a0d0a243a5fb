package dev.tarn.client.internal.index;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.internal.shards.SampleNumbers;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.shard.Hash64;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.name.MemberNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * Finds samples by key, with eight bytes of memory per sample.
 *
 * <p>Each sample is one number. Its low bits, as many as the dataset's length needs, are the
 * sample's number; its high bits are part of the key's hash. The numbers are sorted, so that those
 * with the same hash are adjacent, and the indexes tell which one has the key. With a billion
 * samples the hash has 34 bits, so that a second candidate is rare. Immutable, and safe for several
 * threads.
 */
public final class SampleKeys {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** The upper half of the last number that is written; the CRC32C is in the lower half. */
  private static final long VERSION = 1L << Integer.SIZE;

  private final List<ShardSource> shards;
  private final SampleNumbers numbers;
  private final IndexStore indexes;
  private final int numberBits;
  private final long[] entries;

  private SampleKeys(List<ShardSource> shards, IndexStore indexes) {
    this.shards = List.copyOf(shards);
    this.numbers = SampleNumbers.of(shards);
    this.indexes = requireNonNull(indexes, "indexes is null");
    long samples = numbers.count();
    if (samples > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(
          samples + " samples are too many to be looked up by their keys");
    }
    this.numberBits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, samples - 1));
    this.entries = new long[(int) samples];
  }

  /**
   * Reads the keys from the indexes of all shards.
   *
   * @param shards of known lengths, all with an index
   * @param threads how many indexes are fetched at a time
   */
  public static SampleKeys of(List<ShardSource> shards, IndexStore indexes, int threads)
      throws IOException {
    SampleKeys keys = new SampleKeys(shards, indexes);
    IndexTasks.run(shards.size(), threads, keys::add);
    Arrays.sort(keys.entries);
    return keys;
  }

  /**
   * Reads keys that {@link #write} has written.
   *
   * @param shards the same as then
   * @return empty if the bytes are damaged, or of another number of samples
   */
  static Optional<SampleKeys> read(
      ReadableByteChannel from, List<ShardSource> shards, IndexStore indexes) throws IOException {
    SampleKeys keys = new SampleKeys(shards, indexes);
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    for (int done = 0; done < keys.entries.length; ) {
      int count = Math.min(keys.entries.length - done, BUFFER_BYTES / Long.BYTES);
      if (!fill(from, buffer.clear().limit(count * Long.BYTES))) {
        return Optional.empty();
      }
      crc.update(buffer.duplicate());
      buffer.asLongBuffer().get(keys.entries, done, count);
      done += count;
    }
    boolean isWhole =
        fill(from, buffer.clear().limit(Long.BYTES))
            && buffer.getLong() == (VERSION | crc.getValue())
            && from.read(buffer.clear()) < 0;
    return isWhole ? Optional.of(keys) : Optional.empty();
  }

  /** Fills and flips the buffer; false if there are too few bytes. */
  private static boolean fill(ReadableByteChannel from, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (from.read(buffer) < 0) {
        return false;
      }
    }
    buffer.flip();
    return true;
  }

  /** Writes everything that {@link #read} needs beside the shards. */
  void write(WritableByteChannel to) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    for (int done = 0; done < entries.length; ) {
      int count = Math.min(entries.length - done, BUFFER_BYTES / Long.BYTES);
      buffer.clear().limit(count * Long.BYTES);
      buffer.asLongBuffer().put(entries, done, count);
      crc.update(buffer.duplicate());
      write(buffer, to);
      done += count;
    }
    write(buffer.clear().putLong(VERSION | crc.getValue()).flip(), to);
  }

  private static void write(ByteBuffer buffer, WritableByteChannel to) throws IOException {
    while (buffer.hasRemaining()) {
      to.write(buffer);
    }
  }

  /**
   * The number of the first sample with a key, counted over all shards.
   *
   * @return empty if no sample has it
   */
  public OptionalLong find(String key) throws IOException {
    byte[] wanted = MemberNames.encode(key);
    long hash = hash(wanted);
    int at = Arrays.binarySearch(entries, hash);
    for (int i = at < 0 ? -at - 1 : at; i < entries.length && hash(entries[i]) == hash; i++) {
      long number = entries[i] & ~hashBits();
      if (Arrays.equals(key(number), wanted)) {
        return OptionalLong.of(number);
      }
    }
    return OptionalLong.empty();
  }

  private byte[] key(long number) throws IOException {
    ShardSource shard = shards.get(numbers.shard(number));
    return indexes.get(shard).sampleKey(numbers.within(number));
  }

  private void add(int shard) throws IOException {
    ShardIndex index = indexes.get(shards.get(shard));
    int first = (int) numbers.start(shard);
    for (int i = 0; i < index.sampleCount(); i++) {
      entries[first + i] = hash(index.sampleKey(i)) | (first + i);
    }
  }

  private long hash(byte[] key) {
    return hash(Hash64.mixed(Hash64.fnv1a(key)));
  }

  /** The bits of a number that are of the hash. */
  private long hash(long number) {
    return number & hashBits();
  }

  private long hashBits() {
    return -1L << numberBits;
  }
}
