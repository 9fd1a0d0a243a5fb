package dev.tarn.client;

import dev.tarn.client.prefetch.Chunk;
import dev.tarn.client.prefetch.Prefetch;
import java.util.ArrayList;
import java.util.List;

/** The memory that one sample's bytes lie in: chunks it shares with its neighbours, and copies. */
final class SampleMemory implements Runnable {
  private final Prefetch owner;
  private final List<Chunk> chunks = new ArrayList<>(2);
  private long copiedBytes;

  SampleMemory(Prefetch owner) {
    this.owner = owner;
  }

  /** Holds a chunk that further bytes lie in. */
  void hold(Chunk chunk) {
    int last = chunks.size() - 1;
    if (last < 0 || chunks.get(last) != chunk) {
      chunk.retain();
      chunks.add(chunk);
    }
  }

  /** Counts bytes that were copied out of chunks. */
  void holdCopy(int bytes) {
    copiedBytes += bytes;
    owner.account(bytes);
  }

  /** Lets go of everything. */
  @Override
  public void run() {
    chunks.forEach(Chunk::release);
    chunks.clear();
    if (copiedBytes > 0) {
      owner.account(-copiedBytes);
      copiedBytes = 0;
    }
  }
}
