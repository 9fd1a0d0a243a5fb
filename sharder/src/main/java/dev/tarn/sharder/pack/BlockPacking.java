package dev.tarn.sharder.pack;

import dev.tarn.sharder.compress.BlockCompressor;
import dev.tarn.sharder.compress.BlockCompressor.Drain;
import dev.tarn.sharder.compress.BlockStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Turns a block of samples into the bytes that its shard stores. Each worker has its own instance.
 */
final class BlockPacking implements AutoCloseable {
  private final SampleReading reading;
  private final @Nullable BlockCompressor compressor;

  /** Holds a block's tar bytes before they are compressed. */
  private final @Nullable ByteBuffer tar;

  private BlockPacking(
      SampleReading reading, @Nullable BlockCompressor compressor, @Nullable ByteBuffer tar) {
    this.reading = reading;
    this.compressor = compressor;
    this.tar = tar;
  }

  /** Stores blocks uncompressed. */
  static BlockPacking plain(SampleReading reading) {
    return new BlockPacking(reading, null, null);
  }

  /**
   * Compresses blocks.
   *
   * @param capacity the longest uncompressed block that is held in memory, in bytes
   */
  static BlockPacking compressed(SampleReading reading, BlockCompressor compressor, int capacity) {
    return new BlockPacking(reading, compressor, ByteBuffer.allocate(capacity + 1));
  }

  /** Writes the stored bytes of a block to a buffer; the block must fit. */
  PackedMembers pack(SampleBlock block, ByteBuffer buffer) throws IOException {
    if (compressor == null || tar == null) {
      return reading.read(block, buffer);
    }
    PackedMembers packed = reading.read(block, tar.clear());
    if (packed.length() > 0) {
      compressor.compress(tar, buffer);
    }
    buffer.flip();
    return packed;
  }

  /** Streams the stored bytes of a sample that is larger than any buffer, one buffer at a time. */
  PackedMembers stream(SampleBlock block, ByteBuffer buffer, Drain drain) throws IOException {
    if (compressor == null) {
      return reading.stream(block, buffer, drain);
    }
    BlockStream stream = new BlockStream(compressor, block.length(), drain);
    return reading.stream(block, buffer, stream::write);
  }

  @Override
  public void close() {
    if (compressor != null) {
      compressor.close();
    }
  }
}
