package dev.tarn.sharder.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Handles signals that end the process. Before {@link #begin}, a signal ends the process at once.
 * After it, a signal interrupts the thread that created this object, and waits until {@link
 * #close}, at most 20 seconds. The thread can then remove part files and unfinished uploads, and
 * print a message.
 */
final class Interruption implements AutoCloseable {
  private static final long WAIT_SECONDS_MAX = 20;

  private final CountDownLatch tidied = new CountDownLatch(1);
  private final Thread interrupted = Thread.currentThread();
  private @Nullable Thread hook;

  void begin() {
    Thread begun = Thread.ofPlatform().name("interruption").unstarted(this::interrupt);
    Runtime.getRuntime().addShutdownHook(begun);
    hook = begun;
  }

  private void interrupt() {
    interrupted.interrupt();
    try {
      var _ = tidied.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    tidied.countDown();
    if (hook == null) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending; the shutdown hook waits for the countDown above.
    }
  }
}
