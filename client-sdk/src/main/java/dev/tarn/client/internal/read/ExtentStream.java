package dev.tarn.client.internal.read;

import dev.tarn.client.internal.prefetch.Chunk;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.shard.tar.BufferSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The stored bytes of one extent, chunk by chunk; holds the chunk that was returned last. */
final class ExtentStream implements BufferSource {
  private final Prefetch prefetch;
  private @Nullable Chunk current;
  private boolean fresh = true;

  /**
   * Starts the stream.
   *
   * @param first the extent's first chunk, which the stream releases
   */
  ExtentStream(Prefetch prefetch, Chunk first) {
    this.prefetch = prefetch;
    this.current = first;
  }

  /** The chunk that was returned last; null after the last chunk. */
  @Nullable Chunk current() {
    return current;
  }

  /** Up to {@code length} bytes from the start of the current chunk, which stay unread. */
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

  /** The same bytes as a stream, for decompressors. */
  InputStream asInputStream() {
    return new InputStream() {
      private ByteBuffer unread = ByteBuffer.allocate(0);

      @Override
      public int read() throws IOException {
        return fill() ? unread.get() & 0xFF : -1;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
          return 0;
        }
        if (!fill()) {
          return -1;
        }
        int count = Math.min(length, unread.remaining());
        unread.get(target, offset, count);
        return count;
      }

      private boolean fill() throws IOException {
        while (!unread.hasRemaining()) {
          ByteBuffer following = next();
          if (following == null) {
            return false;
          }
          unread = following.duplicate();
        }
        return true;
      }
    };
  }

  /** Releases the current chunk. */
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
