package dev.tarn.client;

import dev.tarn.client.internal.prefetch.Chunk;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.shard.tar.BufferSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One extent's stored bytes, chunk after chunk; holds the chunk that was handed out last. */
final class ShardTape implements BufferSource {
  private final Prefetch prefetch;
  private @Nullable Chunk current;
  private boolean fresh = true;

  /**
   * Starts a tape.
   *
   * @param first the extent's first chunk, whose holder this becomes
   */
  ShardTape(Prefetch prefetch, Chunk first) {
    this.prefetch = prefetch;
    this.current = first;
  }

  /** The chunk that was handed out last; null after the last. */
  @Nullable Chunk current() {
    return current;
  }

  /** The first bytes, at most so many. */
  byte[] peek(int length) {
    ByteBuffer bytes = bytes();
    byte[] start = new byte[bytes == null ? 0 : Math.min(length, bytes.remaining())];
    if (bytes != null) {
      bytes.get(bytes.position(), start);
    }
    return start;
  }

  @Override
  public @Nullable ByteBuffer next() throws IOException {
    Chunk before = current;
    if (fresh || before == null) {
      fresh = false;
      return bytes();
    }
    current = null;
    before.release();
    if (!before.isLast()) {
      current = prefetch.take();
    }
    return bytes();
  }

  /** The same bytes as a stream, for what must be decompressed. */
  InputStream stream() {
    return new InputStream() {
      private ByteBuffer left = ByteBuffer.allocate(0);

      @Override
      public int read() throws IOException {
        return fill() ? left.get() & 0xFF : -1;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
          return 0;
        }
        if (!fill()) {
          return -1;
        }
        int count = Math.min(length, left.remaining());
        left.get(target, offset, count);
        return count;
      }

      private boolean fill() throws IOException {
        while (!left.hasRemaining()) {
          ByteBuffer following = next();
          if (following == null) {
            return false;
          }
          left = following.duplicate();
        }
        return true;
      }
    };
  }

  /** Lets go of the chunk at hand. */
  void close() {
    Chunk held = current;
    current = null;
    if (held != null) {
      held.release();
    }
  }

  private @Nullable ByteBuffer bytes() {
    return current == null ? null : current.bytes();
  }
}
