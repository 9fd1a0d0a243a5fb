package dev.tarn.client;

import dev.tarn.client.prefetch.Chunk;
import dev.tarn.client.prefetch.Prefetch;
import dev.tarn.client.stage.Held;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory that one sample's bytes lie in: chunks it shares with its neighbours, and copies.
 * Given back by any thread.
 */
final class SampleMemory implements Held {
  private final Prefetch owner;
  private final List<Chunk> chunks = new ArrayList<>(2);
  private long copiedBytes;
  private long bytes;

  SampleMemory(Prefetch owner) {
    this.owner = owner;
  }

  /** Holds a chunk that further bytes, so many, lie in. */
  void hold(Chunk chunk, int length) {
    bytes += length;
    int last = chunks.size() - 1;
    if (last < 0 || chunks.get(last) != chunk) {
      chunk.retain();
      chunks.add(chunk);
    }
  }

  /** Counts bytes that were copied out of chunks. */
  void holdCopy(int length) {
    bytes += length;
    copiedBytes += length;
    owner.account(length);
  }

  /** As many as the sample has: its neighbours share the chunks. */
  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void release() {
    chunks.forEach(Chunk::release);
    chunks.clear();
    if (copiedBytes > 0) {
      owner.account(-copiedBytes);
      copiedBytes = 0;
    }
  }
}
