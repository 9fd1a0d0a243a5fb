package dev.tarn.client.internal.prefetch;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Direct buffers that no epoch of this process uses at present. Only the garbage collector frees
 * their memory, and it runs seldom where little garbage is made. So the next epoch takes these
 * buffers while they exist. Safe for several threads.
 */
final class IdleBuffers {
  private static final Map<Integer, Deque<WeakReference<ByteBuffer>>> BY_LENGTH = new HashMap<>();

  /** Whether direct memory was exhausted once; each further attempt would take long. */
  private static volatile boolean isExhausted;

  private IdleBuffers() {}

  /** A buffer of this length; a heap buffer if direct memory is exhausted. */
  static ByteBuffer take(int length) {
    synchronized (BY_LENGTH) {
      Deque<WeakReference<ByteBuffer>> idle = BY_LENGTH.getOrDefault(length, new ArrayDeque<>());
      while (!idle.isEmpty()) {
        ByteBuffer buffer = idle.pop().get();
        if (buffer != null) {
          return buffer.clear();
        }
      }
      BY_LENGTH.remove(length);
    }
    if (isExhausted) {
      return ByteBuffer.allocate(length);
    }
    try {
      return ByteBuffer.allocateDirect(length);
    } catch (OutOfMemoryError e) {
      isExhausted = true;
      return ByteBuffer.allocate(length);
    }
  }

  /** Leaves a buffer for the next user. */
  static void put(ByteBuffer buffer) {
    synchronized (BY_LENGTH) {
      BY_LENGTH
          .computeIfAbsent(buffer.capacity(), length -> new ArrayDeque<>())
          .push(new WeakReference<>(buffer));
    }
  }
}
