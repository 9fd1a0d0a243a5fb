package dev.tarn.sharder.source.range;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads bytes in blocks of 64 KiB for a reader that takes a few at a time, forwards or backwards.
 * Not thread-safe. Closing it does not close the bytes.
 */
public final class BlockBuffer implements PositionedBytes {
  private static final int BLOCK_BYTES = 64 * 1024;

  private final PositionedBytes bytes;
  private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).limit(0);
  private long blockStart;

  public BlockBuffer(PositionedBytes bytes) {
    this.bytes = requireNonNull(bytes, "bytes is null");
  }

  @Override
  public long size() {
    return bytes.size();
  }

  @Override
  public int read(long offset, ByteBuffer target) throws IOException {
    int start = target.position();
    while (target.hasRemaining() && offset + target.position() - start < size()) {
      long at = offset + target.position() - start;
      if (at < blockStart || at >= blockStart + block.limit()) {
        fetch(at - at % BLOCK_BYTES);
      }
      int from = (int) (at - blockStart);
      int count = Math.min(target.remaining(), block.limit() - from);
      if (count <= 0) {
        break;
      }
      target.put(block.array(), from, count);
    }
    return target.position() - start;
  }

  private void fetch(long offset) throws IOException {
    block.clear();
    bytes.read(offset, block);
    block.flip();
    blockStart = offset;
  }

  @Override
  public void close() {
    // The caller owns the bytes.
  }
}
