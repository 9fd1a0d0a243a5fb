package dev.tarn.sharder.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * While it is open, a signal that ends the process interrupts the thread that opened it and waits
 * for it to tidy up: part files and uploads that nobody will finish.
 */
final class Interruption implements AutoCloseable {
  private static final long WAIT_SECONDS_MAX = 20;

  private final CountDownLatch tidied = new CountDownLatch(1);
  private final Thread hook;

  private Interruption(Thread interrupted) {
    hook =
        Thread.ofPlatform()
            .name("interruption")
            .unstarted(() -> {
              interrupted.interrupt();
              try {
                var _ = tidied.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    Runtime.getRuntime().addShutdownHook(hook);
  }

  static Interruption ofThisThread() {
    return new Interruption(Thread.currentThread());
  }

  @Override
  public void close() {
    tidied.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook has waited for this.
    }
  }
}
