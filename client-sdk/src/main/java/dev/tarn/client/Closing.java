package dev.tarn.client;

import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened, to be closed in the end: the last first, each once, and all of it. */
final class Closing implements AutoCloseable {
  private final Deque<Runnable> opened = new ArrayDeque<>();

  /** Adds what closes something. */
  synchronized void add(Runnable close) {
    opened.push(close);
  }

  /** Closes what was opened before a failure, which is what is told. */
  void closeAfter(Throwable failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public synchronized void close() {
    RuntimeException failure = null;
    for (Runnable close; (close = opened.poll()) != null; ) {
      try {
        close.run();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
