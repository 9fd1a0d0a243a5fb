package dev.tarn.targetnode.cache;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A unit on its way from the backend to the disk. The fetch runs at its own pace and writes to an
 * extent; any number of readers follow it there, each at theirs. So a reader that stalls or leaves
 * holds up nobody, and the bytes are in memory only while they pass.
 */
final class UnitFetch {
  /** How a fetch stands. */
  enum State {
    RUNNING,
    /** All bytes are in the extent. */
    DONE,
    /** There is no room: every reader asks the backend itself for what it still needs. */
    NO_ROOM,
    /** The backend failed. */
    FAILED
  }

  /**
   * How far a fetch is.
   *
   * @param availableBytes how many of the unit's bytes are in the extent
   * @param extent where they are; 0 before there are any
   * @param cause why it failed, if it did
   */
  record Progress(
      State state, long availableBytes, long extent, @Nullable RuntimeException cause) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Progress progress = new Progress(State.RUNNING, 0, 0, null);

  /** So many bytes are in the extent. */
  void advanced(long extent, long bytes) {
    update(new Progress(State.RUNNING, bytes, extent, null));
  }

  /** All bytes are in the extent, and a record names it. */
  void done(long extent, long bytes) {
    update(new Progress(State.DONE, bytes, extent, null));
  }

  /** It ended early; what had arrived is not kept. */
  void ended(State state, @Nullable RuntimeException cause) {
    update(new Progress(state, 0, 0, cause));
  }

  /** Ends the fetch unless it has ended already. */
  void endedIfRunning(State state) {
    lock.lock();
    try {
      if (progress.state() == State.RUNNING) {
        update(new Progress(state, 0, 0, null));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there are bytes behind an offset of the unit, or none will come. */
  Progress await(long offset) throws IOException {
    lock.lock();
    try {
      while (progress.state() == State.RUNNING && progress.availableBytes() <= offset) {
        changed.await();
      }
      return progress;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for a unit of a cached object", e);
    } finally {
      lock.unlock();
    }
  }

  private void update(Progress next) {
    lock.lock();
    try {
      progress = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
