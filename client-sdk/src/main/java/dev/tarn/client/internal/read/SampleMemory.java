package dev.tarn.client.internal.read;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.internal.prefetch.Chunk;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.stage.RetainedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one sample's bytes: chunks that it shares with its neighbours, and copies. Any
 * thread may release it.
 */
final class SampleMemory implements RetainedMemory {
  private static final @Nullable ByteBuffer[] NONE = {};

  /** The length of a tar header, to whose multiple each member is padded. */
  private static final int TAR_BLOCK_BYTES = 512;

  private final Prefetch owner;

  /** The chunk that was retained last. Most samples lie in one chunk. */
  private @Nullable Chunk last;

  private List<Chunk> others = List.of();
  private @Nullable ByteBuffer[] views = NONE;
  private long copiedBytes;
  private long bytes;

  /** Bytes of tar headers and padding around the members in the chunks. */
  private long aroundBytes;

  SampleMemory(Prefetch owner) {
    this.owner = owner;
  }

  /** Retains the chunk that holds {@code length} further bytes. */
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

  /** Waits until the budget has room for bytes to be copied out of chunks, and counts them. */
  void holdCopy(int length) throws IOException {
    owner.reserve(length);
    bytes += length;
    copiedBytes += length;
  }

  /**
   * Sets the array through which the sample finds its bytes.
   *
   * @param data bytes of its members; {@link #compact} replaces them by copies, {@link #release} by
   *     null
   */
  void isSeenBy(@Nullable ByteBuffer[] data) {
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
      ByteBuffer shared = requireNonNull(views[i], "compact after release");
      views[i] = ByteBuffer.allocate(shared.remaining()).put(shared.duplicate()).flip();
    }
    releaseChunks();
  }

  /** The sample's share of its chunks, tar headers included, and its copies. */
  @Override
  public long bytes() {
    return last == null ? bytes : bytes + aroundBytes;
  }

  /** Also takes the bytes from the sample, so that it cannot be read any more. */
  @Override
  public void release() {
    Arrays.fill(views, null);
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
