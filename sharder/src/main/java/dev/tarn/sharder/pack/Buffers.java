package dev.tarn.sharder.pack;

import dev.tarn.sharder.compress.BlockCompressor;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The buffers of a run, each for the stored bytes of one block: their number and size bound its
 * memory.
 *
 * <p>They are in the heap, since both checksums read arrays fastest.
 */
final class Buffers {
  /**
   * The blocks of a compressed shard, each of which can be entered: samples until the next would
   * exceed this. Part of the format of what is packed: another would give other bytes.
   */
  static final int COMPRESSED_BLOCK_LENGTH_MAX = 4 * 1024 * 1024;

  /** Blocks that wait for their turn while every worker fills another. */
  private static final int SPARE = 2;

  /** Small enough that what was read is still in the processor's cache when it is written. */
  private static final int USUAL_LENGTH = 256 * 1024;

  /** A sample that no buffer holds is read by one worker alone, when it is due. */
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
   * Buffers for plain shards, each with one byte of room beyond a block.
   *
   * @param jobs workers that fill them
   * @param largestSample which buffers should hold if the budget allows
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
   * @param jobs workers that fill them
   */
  static Buffers compressed(int jobs, BlockCompressor compressor) {
    int capacity = compressor.lengthMax(COMPRESSED_BLOCK_LENGTH_MAX);
    return new Buffers(jobs + SPARE, capacity, COMPRESSED_BLOCK_LENGTH_MAX);
  }

  /** The longest block, uncompressed, that a buffer holds. */
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
