package dev.tarn.sharder.pack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Packs blocks until none is left. */
final class Worker implements Callable<@Nullable Void> {
  private final BlockQueue queue;
  private final Buffers buffers;
  private final Supplier<BlockPacking> opening;

  /**
   * @param opening makes what this worker packs with, which it closes
   */
  Worker(BlockQueue queue, Buffers buffers, Supplier<BlockPacking> opening) {
    this.queue = queue;
    this.buffers = buffers;
    this.opening = opening;
  }

  @Override
  public @Nullable Void call() throws IOException, InterruptedException {
    try (BlockPacking packing = opening.get()) {
      while (packNext(packing)) {
        // goes on with the next
      }
    }
    return null;
  }

  /**
   * A buffer is taken before its block: then the block that is due always has one, and the others
   * can wait for it.
   */
  private boolean packNext(BlockPacking packing) throws IOException, InterruptedException {
    ByteBuffer buffer = buffers.take();
    SampleBlock block = queue.next();
    if (block == null) {
      buffers.put(buffer);
      return false;
    }
    boolean fits = block.length() <= buffers.blockLengthMax();
    PackedMembers packed = fits ? packing.pack(block, buffer) : null;
    block.shard().add(new ShardAssembly.Filled(block, buffer, packed), packing, buffers);
    return true;
  }
}
