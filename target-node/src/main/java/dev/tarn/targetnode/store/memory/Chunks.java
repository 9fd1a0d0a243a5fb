package dev.tarn.targetnode.store.memory;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory of bodies on their way to the disk.
 *
 * <p>Chunks are direct buffers of one size, with a hard limit on their number. If all are in use,
 * the filler gets one later and holds no thread meanwhile. Bodies gather few bytes on the heap
 * instead, as long as all of these together have room.
 *
 * <p>Slow senders hold up nobody: while more fillers wait than chunks are about to be returned, the
 * filler that has held its chunk for the longest time must write its bytes early.
 */
public final class Chunks {
  /** A chunk is written when it has this many bytes. */
  public static final int FULL_BYTES = 1 << 20;

  /** The largest buffer of a body; it fits into every chunk that is not yet full. */
  public static final int ARRIVING_BYTES_MAX = 256 << 10;

  /** For each chunk, bodies may gather this many bytes on the heap. */
  public static final int GATHERED_BYTES_PER_CHUNK = 256 << 10;

  private final int chunksMax;
  private final AtomicLong gatheredBytes = new AtomicLong();
  private final Deque<ByteBuffer> free = new ArrayDeque<>();
  private final Deque<Filler> waiting = new ArrayDeque<>();

  /** Those that fill a chunk and were not asked to write early, the longest holder first. */
  private final Set<Filler> filling = new LinkedHashSet<>();

  private int made;

  /** Fills one chunk at a time. */
  public interface Filler {
    /**
     * Accepts an empty chunk to fill.
     *
     * @return false if the filler needs none any more, and the chunk stays with the caller
     */
    boolean fill(ByteBuffer chunk);

    /**
     * Writes the bytes of the chunk, however few, and returns the chunk, because others wait for
     * one. If bytes are being put into the chunk now, this happens after that.
     */
    void writeEarly();
  }

  /** A pool of at most this many chunks. */
  public Chunks(int chunksMax) {
    if (chunksMax < 1) {
      throw new IllegalArgumentException("chunksMax is " + chunksMax + ", must be at least 1");
    }
    this.chunksMax = chunksMax;
  }

  /**
   * Adds to the bytes of the heap buffers in which bodies gather, or takes from them. The limit
   * does not refuse: bytes that a body has requested arrive. It says when to request no more.
   */
  public void addGathered(long bytes) {
    gatheredBytes.addAndGet(bytes);
  }

  /** The bytes of all heap buffers in which bodies gather. */
  public long gatheredBytes() {
    return gatheredBytes.get();
  }

  /** Whether bodies must take a chunk before they request bytes, however few. */
  public boolean hasGatheredMost() {
    return gatheredBytes.get() >= (long) chunksMax * GATHERED_BYTES_PER_CHUNK;
  }

  /** Gives an empty chunk to the filler, now or when one is returned. */
  public void take(Filler filler) {
    ByteBuffer chunk;
    Filler slowest = null;
    synchronized (this) {
      chunk = takeFree(filler);
      if (chunk == null) {
        waiting.add(filler);
        slowest = slowest();
      }
    }
    if (chunk == null) {
      writeEarly(slowest);
    } else if (!filler.fill(chunk)) {
      filled(filler);
      giveBack(chunk);
    }
  }

  /** An empty chunk for the filler if one is free now, or null. */
  public synchronized @Nullable ByteBuffer poll(Filler filler) {
    return takeFree(filler);
  }

  private @Nullable ByteBuffer takeFree(Filler filler) {
    ByteBuffer chunk = free.poll();
    if (chunk == null && made < chunksMax) {
      made++;
      chunk = ByteBuffer.allocateDirect(FULL_BYTES + ARRIVING_BYTES_MAX);
    }
    if (chunk != null) {
      filling.add(filler);
    }
    return chunk;
  }

  /** Reports that the filler's chunk is about to be returned. */
  public synchronized void filled(Filler filler) {
    filling.remove(filler);
  }

  /** Returns a chunk. */
  public void giveBack(ByteBuffer chunk) {
    chunk.clear();
    boolean accepted = false;
    while (!accepted) {
      Filler next;
      Filler slowest;
      synchronized (this) {
        next = waiting.poll();
        if (next == null) {
          free.push(chunk);
          return;
        }
        filling.add(next);
        slowest = slowest();
      }
      accepted = next.fill(chunk);
      if (!accepted) {
        filled(next);
      }
      writeEarly(slowest);
    }
  }

  /** The filler that must write early, if fewer chunks are about to be returned than are needed. */
  private @Nullable Filler slowest() {
    int returning = made - filling.size();
    Iterator<Filler> fillers = filling.iterator();
    if (waiting.size() <= returning || !fillers.hasNext()) {
      return null;
    }
    Filler slowest = fillers.next();
    fillers.remove();
    return slowest;
  }

  private static void writeEarly(@Nullable Filler slowest) {
    if (slowest != null) {
      slowest.writeEarly();
    }
  }
}
