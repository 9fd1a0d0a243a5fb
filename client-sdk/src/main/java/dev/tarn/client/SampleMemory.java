package dev.tarn.client;

import dev.tarn.client.internal.prefetch.Chunk;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.stage.Held;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one sample's bytes lie in: chunks it shares with its neighbours, and copies.
 * Given back by any thread.
 */
final class SampleMemory implements Held {
  private static final ByteBuffer[] NONE = {};

  /** Each member's bytes follow a header of so many bytes, and fill blocks of as many. */
  private static final int TAR_BLOCK_BYTES = 512;

  private final Prefetch owner;

  /** The chunk that it holds last, and those before it: most samples lie in one. */
  private @Nullable Chunk last;

  private List<Chunk> others = List.of();
  private ByteBuffer[] views = NONE;
  private long copiedBytes;
  private long bytes;

  /** What lies around the bytes in the chunks. */
  private long aroundBytes;

  SampleMemory(Prefetch owner) {
    this.owner = owner;
  }

  /** Holds a chunk that further bytes, so many, lie in. */
  void hold(Chunk chunk, int length) {
    bytes += length;
    aroundBytes += TAR_BLOCK_BYTES + Math.floorMod(-length, TAR_BLOCK_BYTES);
    Chunk before = last;
    if (before != chunk) {
      chunk.retain();
      last = chunk;
      if (before != null) {
        others = others.isEmpty() ? new ArrayList<>() : others;
        others.add(before);
      }
    }
  }

  /** Counts bytes that are copied out of chunks, once there is room for them. */
  void holdCopy(int length) throws IOException {
    owner.reserve(length);
    bytes += length;
    copiedBytes += length;
  }

  /**
   * Says where the sample's bytes are looked up.
   *
   * @param data its members' bytes, which are replaced where they are copied
   */
  void isSeenBy(ByteBuffer[] data) {
    views = data;
  }

  @Override
  public void compact() {
    if (last == null) {
      return;
    }
    owner.account(bytes - copiedBytes);
    copiedBytes = bytes;
    for (int i = 0; i < views.length; i++) {
      views[i] = ByteBuffer.allocate(views[i].remaining()).put(views[i].duplicate()).flip();
    }
    releaseChunks();
  }

  /**
   * What the sample takes of chunks, which its neighbours share, with tar's headers; and copies.
   */
  @Override
  public long bytes() {
    return last == null ? bytes : bytes + aroundBytes;
  }

  @Override
  public void release() {
    releaseChunks();
    if (copiedBytes > 0) {
      owner.account(-copiedBytes);
      copiedBytes = 0;
    }
  }

  private void releaseChunks() {
    Chunk held = last;
    last = null;
    if (held != null) {
      held.release();
    }
    others.forEach(Chunk::release);
    others = List.of();
  }
}
