package dev.tarn.client.internal.stage;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Items that are in progress, or wait for the consumer, bounded in number and bytes. Safe for
 * several threads.
 */
final class Window<R> {
  /** The slot of one item among the others. */
  static final class Slot<R> {
    private final long bytes;
    private @Nullable Item<R> item;
    private @Nullable Throwable failure;

    private Slot(long bytes) {
      this.bytes = bytes;
    }

    private boolean isDone() {
      return item != null || failure != null;
    }
  }

  private final Bounds bounds;
  private final boolean ordered;
  private final Deque<Slot<R>> slots = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition roomy = lock.newCondition();
  private final Condition done = lock.newCondition();
  private long bytes;
  private boolean ended;
  private boolean closed;

  /**
   * Bounds of the items. There is always room for one.
   *
   * @param countMax number of items
   * @param bytesMax bytes of the items
   * @param smallCountMax number of items while they have less than {@code smallBytesMax}
   * @param smallBytesMax bytes below which items count as small, so that passing them on one by one
   *     would cost more than the items
   */
  record Bounds(int countMax, long bytesMax, int smallCountMax, long smallBytesMax) {
    private boolean hasRoom(int count, long bytes) {
      return count == 0
          || (count < countMax && bytes < bytesMax)
          || (count < smallCountMax && bytes > 0 && bytes < smallBytesMax);
    }
  }

  /**
   * Makes a window.
   *
   * @param ordered whether items are taken in the order of their slots, or in that of completion
   */
  Window(Bounds bounds, boolean ordered) {
    this.bounds = bounds;
    this.ordered = ordered;
  }

  /**
   * Waits for room for another item.
   *
   * @return false if no more are wanted
   */
  boolean awaitRoom() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed && !ended && !bounds.hasRoom(slots.size(), bytes)) {
        roomy.await();
      }
      return !closed && !ended;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the last slot.
   *
   * @param held bytes of its item until it is done or taken
   */
  Slot<R> add(long held) {
    Slot<R> slot = new Slot<>(held);
    lock.lock();
    try {
      slots.add(slot);
      bytes += held;
      return slot;
    } finally {
      lock.unlock();
    }
  }

  /** Puts the result of an item into its slot. */
  void complete(Slot<R> slot, Item<R> item) {
    lock.lock();
    try {
      slot.item = item;
      if (!ordered || slots.peek() == slot) {
        done.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Records that an item has failed; no more are wanted behind it. */
  void fail(Slot<R> slot, Throwable failure) {
    lock.lock();
    try {
      slot.failure = failure;
      ended = true;
      signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Records that no more items will come. */
  void end() {
    lock.lock();
    try {
      ended = true;
      signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Discards all items and ends all waits. */
  void close() {
    lock.lock();
    try {
      closed = true;
      signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether it was closed. */
  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  private void signalAll() {
    roomy.signalAll();
    done.signalAll();
  }

  /**
   * Takes the next item; waits for it.
   *
   * @return null after the last
   * @throws IllegalStateException if it was closed
   */
  @Nullable Item<R> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        if (closed) {
          throw new IllegalStateException("the iterator is closed");
        }
        Slot<R> taken = removeDone();
        if (taken != null) {
          bytes -= taken.bytes;
          if (bounds.hasRoom(slots.size(), bytes)) {
            roomy.signal();
          }
          return result(taken);
        }
        if (ended && slots.isEmpty()) {
          return null;
        }
        done.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Slot<R> removeDone() {
    Iterator<Slot<R>> candidates = slots.iterator();
    while (candidates.hasNext()) {
      Slot<R> slot = candidates.next();
      if (slot.isDone()) {
        candidates.remove();
        return slot;
      }
      if (ordered) {
        return null;
      }
    }
    return null;
  }

  private static <R> @Nullable Item<R> result(Slot<R> done) {
    Throwable failure = done.failure;
    if (failure != null) {
      throw Failures.rethrown(failure);
    }
    return done.item;
  }
}
