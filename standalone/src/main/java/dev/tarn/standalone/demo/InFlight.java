package dev.tarn.standalone.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs a blocking call for each item of a list, with a fixed number of calls in flight. */
final class InFlight {
  private InFlight() {}

  /** The call for an item. */
  @FunctionalInterface
  interface Action<T> {
    void on(T item) throws IOException;
  }

  /**
   * Calls the action for each item. After the first failure no new call starts, and the failure is
   * thrown.
   */
  static <T> void forEach(List<T> items, int count, Action<T> action) throws IOException {
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
      List<Future<@Nullable Void>> lanes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        lanes.add(threads.submit(() -> lane(items, next, action)));
      }
      await(lanes);
    }
  }

  private static <T> @Nullable Void lane(List<T> items, AtomicInteger next, Action<T> action)
      throws IOException {
    try {
      for (int i = next.getAndIncrement(); i < items.size(); i = next.getAndIncrement()) {
        action.on(items.get(i));
      }
      return null;
    } catch (IOException | RuntimeException e) {
      // Stops the other lanes after their current items.
      next.set(items.size());
      throw e;
    }
  }

  private static void await(List<Future<@Nullable Void>> lanes) throws IOException {
    try {
      for (Future<@Nullable Void> lane : lanes) {
        lane.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
