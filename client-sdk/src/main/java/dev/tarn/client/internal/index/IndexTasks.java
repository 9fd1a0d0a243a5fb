package dev.tarn.client.internal.index;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs a task for each of many shards, several at a time. */
final class IndexTasks {
  private static final long END_WAIT_MS = 2_000;

  /** A task for a shard. */
  interface Task {
    /**
     * Runs the task.
     *
     * @param shard number of the shard
     */
    void run(int shard) throws IOException;
  }

  private IndexTasks() {}

  /** Returns when all tasks are done; a failure interrupts the others. */
  static void run(int shards, int threads, Task task) throws IOException {
    int workers = Math.max(1, Math.min(threads, shards));
    ExecutorService executor =
        Executors.newFixedThreadPool(
            workers,
            work -> {
              Thread thread = new Thread(work, "tarn-index");
              thread.setDaemon(true);
              return thread;
            });
    try {
      AtomicInteger next = new AtomicInteger();
      CompletionService<@Nullable Void> ended = new ExecutorCompletionService<>(executor);
      for (int i = 0; i < workers; i++) {
        ended.submit(() -> {
          for (int shard = next.getAndIncrement(); shard < shards; shard = next.getAndIncrement()) {
            task.run(shard);
          }
          return null;
        });
      }
      for (int i = 0; i < workers; i++) {
        awaitNext(ended);
      }
    } finally {
      end(executor);
    }
  }

  /** A task that waits for the rest of an answer ends later, by its own timeout. */
  private static void end(ExecutorService executor) {
    executor.shutdownNow();
    try {
      var unused = executor.awaitTermination(END_WAIT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void awaitNext(CompletionService<@Nullable Void> ended) throws IOException {
    try {
      ended.take().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while indexes were read").initCause(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException("indexes cannot be read", e.getCause());
    }
  }
}
