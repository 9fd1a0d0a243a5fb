package dev.tarn.targetnode.cache;

import dev.tarn.targetnode.store.disk.OpenFile;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A unit that is being fetched from the backend to the disk. The fetch runs at its own speed and
 * writes to a file. Any number of readers follow it there, each at its own speed. A slow reader
 * therefore delays no other, and the bytes stay in memory only briefly. A fetch may begin within
 * the unit, where its first reader is; then the bytes before that come last.
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
   * @param availableBytes how many bytes are in the file, from the reader's offset on
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
  private final long begin;
  private final long length;
  private Progress progress = new Progress(State.RUNNING, 0, null, null);
  private boolean isDemanded;
  private int expecting;

  /**
   * A fetch that runs.
   *
   * @param begin where in the unit it begins
   * @param length of the unit
   */
  UnitFetch(long begin, long length) {
    this.begin = begin;
    this.length = length;
  }

  /** Where in the unit the fetch begins. */
  long begin() {
    return begin;
  }

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

  /** Records that this many bytes are in the file, in the order of the fetch. */
  void advanced(OpenFile file, long bytes) {
    update(new Progress(State.RUNNING, bytes, file, null));
  }

  /** Records that all bytes are in the file. */
  void done(OpenFile file) {
    update(new Progress(State.DONE, length, file, null));
  }

  /**
   * Records that the fetch ended early. The bytes that arrived are not kept: only who holds the
   * file reads them.
   */
  void ended(State state, @Nullable RuntimeException cause) {
    lock.lock();
    try {
      update(new Progress(state, progress.availableBytes(), null, cause));
    } finally {
      lock.unlock();
    }
  }

  /** Ends the fetch unless it has ended already. */
  void endedIfRunning(State state) {
    lock.lock();
    try {
      if (progress.state() == State.RUNNING) {
        update(new Progress(state, progress.availableBytes(), null, null));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until bytes from an offset of the unit on are available, or the fetch ends. */
  Progress await(long offset) throws IOException {
    lock.lock();
    try {
      while (progress.state() == State.RUNNING && availableFrom(offset) == 0) {
        changed.await();
      }
      return new Progress(
          progress.state(), availableFrom(offset), progress.file(), progress.cause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Read of a cached object was interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  /** How many bytes are in the file from an offset on; those after the begin came first. */
  private long availableFrom(long offset) {
    long done = progress.availableBytes();
    long untilEnd = Math.min(done, length - begin);
    return Math.max(0, (offset < begin ? done - untilEnd : begin + untilEnd) - offset);
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
