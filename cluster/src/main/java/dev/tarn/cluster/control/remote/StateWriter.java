package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.control.ControlState;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The thread that writes the newest state to disk, so that no user of the state waits for a device.
 * It retries failed writes, and skips states that newer ones have replaced.
 */
final class StateWriter implements AutoCloseable {
  private static final long RETRY_SECONDS = 5;
  private static final long CLOSE_SECONDS_MAX = 10;

  private final KeptState file;
  private final Supplier<ControlState> newest;
  private final ControlListener listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread = new Thread(this::run, "tarn-control-writer");
  private final CountDownLatch ended = new CountDownLatch(1);
  private ControlState kept;
  private boolean failing;
  private boolean closed;

  /** Writes to this file, which holds the present state. */
  StateWriter(KeptState file, Supplier<ControlState> newest, ControlListener listener) {
    this.file = file;
    this.newest = newest;
    this.listener = listener;
    this.kept = newest.get();
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Signals that there is a newer state. */
  void changed() {
    lock.lock();
    try {
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (awaitUnkept()) {
        if (!keep(newest.get()) && !awaitRetry()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until there is a state to write or the writer is closed; returns whether there is one.
   */
  @SuppressWarnings("ReferenceEquality") // a more complete state may have the kept version
  private boolean awaitUnkept() throws InterruptedException {
    lock.lock();
    try {
      while (!closed && newest.get() == kept) {
        changed.await();
      }
      return newest.get() != kept;
    } finally {
      lock.unlock();
    }
  }

  /** Waits after a failure; false once it is closed. */
  private boolean awaitRetry() throws InterruptedException {
    return !ended.await(RETRY_SECONDS, TimeUnit.SECONDS);
  }

  private boolean keep(ControlState state) {
    try {
      file.write(state);
      kept = state;
      failing = false;
      return true;
    } catch (IOException e) {
      if (!failing) {
        failing = true;
        listener.notKept(e);
      }
      return false;
    }
  }

  /** Writes the last state, for a bounded time. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      ended.countDown();
      changed.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS_MAX));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
