package dev.tarn.client.internal.stage;

import dev.tarn.client.internal.prefetch.Threads;
import dev.tarn.client.internal.stage.Window.Bounds;
import dev.tarn.client.loader.Transform;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Processes items in several threads, ahead of the consumer.
 *
 * <p>One thread at a time takes the next item from the stage before, which gives the item its slot.
 * Then the threads process their items in parallel. They wait while too many items are in progress
 * or done.
 */
public final class Parallel<T, R> implements Stage<R> {
  private static final int COUNT_MAX = 2;

  /** More items of so few bytes are in progress, since threads would mostly wait for each other. */
  private static final long SMALL_BYTES_MAX = 32 * 1024;

  private static final int SMALL_COUNT_MAX = 16;

  private final Stage<T> before;
  private final Function<Item<T>, Item<R>> work;
  private final Window<R> window;
  private final ReentrantLock taking = new ReentrantLock();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * Makes the stage.
   *
   * @param bounds of items that are in progress or wait
   * @param work done on each item; it releases the item's memory, or passes it on with its result
   */
  private Parallel(
      Stage<T> before, Bounds bounds, boolean ordered, Function<Item<T>, Item<R>> work) {
    this.before = before;
    this.work = work;
    this.window = new Window<>(bounds, ordered);
  }

  /** Maps values; each thread has two in progress, or more if they are small. */
  public static <T, R> Stage<R> map(
      Stage<T> before,
      int threads,
      boolean ordered,
      StageSettings settings,
      Transform<? super T, ? extends R> function) {
    Bounds bounds =
        new Bounds(
            COUNT_MAX * threads,
            settings.heldBytesMax(),
            SMALL_COUNT_MAX * threads,
            Math.min(SMALL_BYTES_MAX * threads, settings.heldBytesMax()));
    return new Parallel<T, R>(
            before, bounds, ordered, item -> Failures.map(item, function, settings.failures()))
        .started(threads);
  }

  /** Runs the stages before it in another thread, {@code items} items ahead of the consumer. */
  public static <T> Stage<T> ahead(Stage<T> before, int items, StageSettings settings) {
    Bounds bounds = new Bounds(items, settings.heldBytesMax(), 0, 0);
    return new Parallel<T, T>(before, bounds, true, item -> item).started(1);
  }

  private Parallel<T, R> started(int count) {
    boolean started = false;
    try {
      for (int i = 0; i < count; i++) {
        Thread thread = new Thread(this::workOnAll, "tarn-loader-" + i);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
      }
      started = true;
      return this;
    } finally {
      // The machine may have no more threads.
      if (!started) {
        close();
      }
    }
  }

  private void workOnAll() {
    boolean more = true;
    while (more) {
      try {
        more = workOnNext();
      } catch (InterruptedException e) {
        // Only the close ends the work; an interrupt that a user's function left behind does not.
        more = !window.isClosed();
      }
      Thread.interrupted();
    }
  }

  private boolean workOnNext() throws InterruptedException {
    Item<T> item;
    Window.Slot<R> slot;
    taking.lockInterruptibly();
    try {
      if (!window.awaitRoom()) {
        return false;
      }
      try {
        item = before.next();
      } catch (Throwable e) {
        // Every failure must reach the waiting consumer, behind the items before it.
        window.fail(window.add(0), e);
        return false;
      }
      if (item == null) {
        window.end();
        return false;
      }
      slot = window.add(item.memory().bytes());
    } finally {
      taking.unlock();
    }
    try {
      window.complete(slot, work.apply(item));
      return true;
    } catch (Throwable e) {
      window.fail(slot, e);
      return false;
    }
  }

  @Override
  public @Nullable Item<R> next() {
    try {
      return window.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("waiting for an item");
      interrupted.initCause(e);
      throw new UncheckedIOException(
          "the thread was interrupted while it waited for mapped values; the iterator has ended,"
              + " and its checkpoint can be resumed",
          interrupted);
    }
  }

  @Override
  public void close() {
    window.close();
    before.close();
    Threads.end(threads);
  }
}
