package dev.tarn.client.prefetch;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of whole parts that are to be used again. They do not count as used, and so go as soon as
 * what is used needs their room. For use by many threads.
 */
final class SpareBuffers {
  private final int length;
  private final Deque<ByteBuffer> buffers = new ArrayDeque<>();

  SpareBuffers(int length) {
    this.length = length;
  }

  /** Keeps a buffer, if it is of a whole part. */
  synchronized void put(ByteBuffer buffer) {
    if (buffer.capacity() == length) {
      buffers.push(buffer);
    }
  }

  /** A buffer of that limit: one of these, or else a new one. */
  ByteBuffer take(int bytes) {
    ByteBuffer buffer = bytes == length ? poll() : null;
    return buffer == null ? ByteBuffer.allocate(bytes) : buffer.clear();
  }

  private synchronized @Nullable ByteBuffer poll() {
    return buffers.poll();
  }

  /** Lets go of as many as do not fit into so many bytes. */
  synchronized void trim(long bytesMax) {
    while (bytes() > bytesMax && buffers.poll() != null) {
      // until what is left fits
    }
  }

  /** Lets go of all. */
  synchronized void clear() {
    buffers.clear();
  }

  /** How many bytes they are. */
  synchronized long bytes() {
    return (long) buffers.size() * length;
  }
}
