package dev.tarn.targetnode.store.memory;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Direct buffers of one size for bodies on their way to the disk, with a hard limit on their
 * number. If all are in use, the caller gets one later and holds no thread meanwhile.
 */
public final class Chunks {
  /** A chunk is written when it has this many bytes. */
  public static final int FULL_BYTES = 1 << 20;

  /** The largest buffer of a body; it fits into every chunk that is not yet full. */
  public static final int ARRIVING_BYTES_MAX = 256 << 10;

  private final int chunksMax;
  private final Deque<ByteBuffer> free = new ArrayDeque<>();
  private final Deque<Consumer<ByteBuffer>> waiting = new ArrayDeque<>();
  private int made;

  /** A pool of at most this many chunks. */
  public Chunks(int chunksMax) {
    if (chunksMax < 1) {
      throw new IllegalArgumentException("chunksMax is " + chunksMax + ", must be at least 1");
    }
    this.chunksMax = chunksMax;
  }

  /** Gives an empty chunk to the taker, now or when one is returned. */
  public void take(Consumer<ByteBuffer> taker) {
    ByteBuffer chunk;
    synchronized (this) {
      chunk = free.poll();
      if (chunk == null && made < chunksMax) {
        made++;
        chunk = ByteBuffer.allocateDirect(FULL_BYTES + ARRIVING_BYTES_MAX);
      }
      if (chunk == null) {
        waiting.add(taker);
        return;
      }
    }
    taker.accept(chunk);
  }

  /** Returns a chunk. */
  public void giveBack(ByteBuffer chunk) {
    chunk.clear();
    Consumer<ByteBuffer> taker;
    synchronized (this) {
      taker = waiting.poll();
      if (taker == null) {
        free.push(chunk);
        return;
      }
    }
    taker.accept(chunk);
  }
}
