package dev.tarn.client.internal.prefetch;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Buffers out of the heap that no epoch of this process uses at present. Their memory goes back
 * with the garbage collector only, which comes seldom where little else is made: so the next epoch
 * takes these, as long as they are there. For use by many threads.
 */
final class IdleBuffers {
  private static final Map<Integer, Deque<WeakReference<ByteBuffer>>> BY_LENGTH = new HashMap<>();

  /** Whether there was no more room out of the heap once: to look for some again takes long. */
  private static volatile boolean isExhausted;

  private IdleBuffers() {}

  /** A buffer of that length; in the heap if there is no room out of it. */
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

  /** Leaves a buffer to the next one who wants it. */
  static void put(ByteBuffer buffer) {
    synchronized (BY_LENGTH) {
      BY_LENGTH
          .computeIfAbsent(buffer.capacity(), length -> new ArrayDeque<>())
          .push(new WeakReference<>(buffer));
    }
  }
}
