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

  private final String name;
  private final PositionedBytes bytes;
  private final long bytesMax;
  private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).limit(0);
  private long blockStart;
  private long fetched;

  /**
   * @param name of the bytes, in messages
   * @param bytesMax the maximum of bytes read, for a reader that keeps them in memory
   */
  public BlockBuffer(String name, PositionedBytes bytes, long bytesMax) {
    this.name = requireNonNull(name, "name is null");
    this.bytes = requireNonNull(bytes, "bytes is null");
    this.bytesMax = bytesMax;
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
    fetched += BLOCK_BYTES;
    if (fetched > bytesMax) {
      throw new IOException(
          "%s: its directory has more than %d MiB, the most for which the memory is enough;"
                  .formatted(name, bytesMax >> 20)
              + " allow more by TARN_JAVA_OPTS=-Xmx..., or make a tar archive of the files");
    }
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
