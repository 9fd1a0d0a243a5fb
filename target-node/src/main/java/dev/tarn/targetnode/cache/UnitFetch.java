package dev.tarn.targetnode.cache;

import dev.tarn.targetnode.store.disk.OpenFile;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A unit that is being fetched from the backend to the disk. The fetch runs at its own speed and
 * writes to a file. Any number of readers follow it there, each at its own speed. A slow reader
 * therefore delays no other, and the bytes stay in memory only briefly.
 */
final class UnitFetch {
  /** The state of a fetch. */
  enum State {
    RUNNING,
    /** All bytes are in the file. */
    DONE,
    /** The unit is not stored: every reader reads the rest from the backend itself. */
    NOT_STORED,
    /** The backend failed. */
    FAILED
  }

  /**
   * The progress of a fetch.
   *
   * @param availableBytes how many of the unit's bytes are in the file
   * @param file which readers must hold, and which may be closed already if the fetch has ended;
   *     null before it exists
   * @param cause why the fetch failed, if it did
   */
  record Progress(
      State state,
      long availableBytes,
      @Nullable OpenFile file,
      @Nullable RuntimeException cause) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Progress progress = new Progress(State.RUNNING, 0, null, null);
  private boolean isDemanded;
  private int expecting;

  /** A reader has come to the unit: the fetch goes on from now on, even if the reader leaves. */
  void demand() {
    lock.lock();
    try {
      isDemanded = true;
    } finally {
      lock.unlock();
    }
  }

  /** A reader will come to the unit, unless it calls {@link #unexpect}. */
  void expect() {
    lock.lock();
    try {
      expecting++;
    } finally {
      lock.unlock();
    }
  }

  /** A reader that expected the unit has come to it, or has left. */
  void unexpect() {
    lock.lock();
    try {
      expecting--;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a reader has come to the unit or will come. */
  boolean isWanted() {
    lock.lock();
    try {
      return isDemanded || expecting > 0;
    } finally {
      lock.unlock();
    }
  }

  /** Records that this many bytes are in the file. */
  void advanced(OpenFile file, long bytes) {
    update(new Progress(State.RUNNING, bytes, file, null));
  }

  /** Records that all bytes are in the file. */
  void done(OpenFile file, long bytes) {
    update(new Progress(State.DONE, bytes, file, null));
  }

  /** Records that the fetch ended early; the bytes that arrived are not kept. */
  void ended(State state, @Nullable RuntimeException cause) {
    update(new Progress(state, 0, null, cause));
  }

  /** Ends the fetch unless it has ended already. */
  void endedIfRunning(State state) {
    lock.lock();
    try {
      if (progress.state() == State.RUNNING) {
        update(new Progress(state, 0, null, null));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until bytes after an offset of the unit are available, or the fetch ends. */
  Progress await(long offset) throws IOException {
    lock.lock();
    try {
      while (progress.state() == State.RUNNING && progress.availableBytes() <= offset) {
        changed.await();
      }
      return progress;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Read of a cached object was interrupted", e);
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
