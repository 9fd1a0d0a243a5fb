package dev.tarn.client.internal.stage;

import java.util.ArrayDeque;
import java.util.Deque;

/** Opened resources to close together: the last first, each once, and all even if one fails. */
public final class Closing implements AutoCloseable {
  private final Deque<Runnable> opened = new ArrayDeque<>();

  /** Adds an action that closes a resource. */
  public synchronized void add(Runnable close) {
    opened.push(close);
  }

  /** Closes all after a failure; failures of the close are added to it as suppressed ones. */
  public void closeAfter(Throwable failure) {
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
