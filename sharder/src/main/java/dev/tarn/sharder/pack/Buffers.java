package dev.tarn.sharder.pack;

import dev.tarn.sharder.compress.BlockCompressor;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The buffers of a run. Each holds the stored bytes of one block. Their number and size bound the
 * run's memory.
 *
 * <p>They are heap buffers because both checksums read arrays fastest.
 */
final class Buffers {
  /**
   * Maximum length of a compressed block, in bytes. A block takes samples until the next one would
   * exceed this; a reader can start at each block. Changing this value changes the packed bytes.
   */
  static final int COMPRESSED_BLOCK_LENGTH_MAX = 4 * 1024 * 1024;

  /** Buffers for blocks that wait to be written while every worker fills another. */
  private static final int SPARE = 2;

  /** Small enough for the processor's cache: bytes are still cached when they are written. */
  private static final int USUAL_LENGTH = 256 * 1024;

  /** A larger sample is streamed by one worker when its turn comes. */
  private static final int LENGTH_MAX = 16 * 1024 * 1024;

  private static final int BUDGET = 64 * 1024 * 1024;

  private final BlockingQueue<ByteBuffer> free;
  private final int blockLengthMax;

  private Buffers(int count, int capacity, int blockLengthMax) {
    this.blockLengthMax = blockLengthMax;
    free = new ArrayBlockingQueue<>(count);
    for (int i = 0; i < count; i++) {
      free.add(ByteBuffer.allocate(capacity));
    }
  }

  /**
   * Buffers for plain shards, each one byte longer than the longest block.
   *
   * @param jobs the number of workers that fill them
   * @param largestSample the length that a buffer should have if the budget allows, in bytes
   */
  static Buffers plain(int jobs, long largestSample) {
    int count = jobs + SPARE;
    long affordable = Math.min(BUDGET / count, LENGTH_MAX);
    int length = (int) Math.clamp(Math.max(USUAL_LENGTH, largestSample), 64 * 1024, affordable);
    return new Buffers(count, length + 1, length);
  }

  /**
   * Buffers for compressed blocks.
   *
   * @param jobs the number of workers that fill them
   */
  static Buffers compressed(int jobs, BlockCompressor compressor) {
    int capacity = compressor.lengthMax(COMPRESSED_BLOCK_LENGTH_MAX);
    return new Buffers(jobs + SPARE, capacity, COMPRESSED_BLOCK_LENGTH_MAX);
  }

  /** Returns the maximum uncompressed length of a block that fits a buffer, in bytes. */
  int blockLengthMax() {
    return blockLengthMax;
  }

  ByteBuffer take() throws InterruptedException {
    return free.take().clear();
  }

  void put(ByteBuffer buffer) throws InterruptedException {
    free.put(buffer);
  }
}
