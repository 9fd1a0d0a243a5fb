package dev.tarn.transport.body;

import io.netty.buffer.PooledByteBufAllocator;

/** The pooled direct memory in use, by which tests find leaks. */
public final class PooledMemory {
  private PooledMemory() {}

  /** Bytes that the pool has allocated and nobody has released. */
  public static long usedBytes() {
    return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }
}
