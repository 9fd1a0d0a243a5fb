package dev.tarn.sharder.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Once it is begun, a signal that ends the process interrupts the thread that made it and waits
 * until it is closed: for part files and uploads that nobody will finish to be tidied up, and for
 * what is said of it. Before, a signal ends the process at once.
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
      // The process is ending, and the hook has waited for this.
    }
  }
}
