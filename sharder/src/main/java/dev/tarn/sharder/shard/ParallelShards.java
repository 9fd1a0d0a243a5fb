package dev.tarn.sharder.shard;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Runs a task for each of many shards, several in parallel. */
public final class ParallelShards {
  /** The task for a shard. */
  @FunctionalInterface
  public interface Task<T> {
    T call(ShardPlace shard) throws IOException, InterruptedException;
  }

  /** Receives the results. */
  @FunctionalInterface
  public interface Results<T> {
    void accept(T result) throws IOException;
  }

  private ParallelShards() {}

  /**
   * Runs all tasks. The first failure, in the order of the shards, ends the run; running tasks are
   * then interrupted.
   *
   * @param jobs the number of parallel tasks
   * @param results receives the results in the order of the shards, in the caller's thread
   */
  public static <T> void run(List<ShardPlace> shards, int jobs, Task<T> task, Results<T> results)
      throws IOException, InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(jobs, Thread.ofPlatform().name("shard-", 1).factory());
    Deque<Future<T>> waiting = new ArrayDeque<>();
    try {
      for (ShardPlace shard : shards) {
        if (waiting.size() == 2 * jobs) {
          results.accept(waiting.removeFirst().get());
        }
        waiting.addLast(threads.submit(() -> task.call(shard)));
      }
      while (!waiting.isEmpty()) {
        results.accept(waiting.removeFirst().get());
      }
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } finally {
      threads.shutdownNow();
      threads.close();
    }
  }

  private static IOException failure(@Nullable Throwable cause) throws InterruptedException {
    return switch (cause) {
      case null -> new IOException("a task failed");
      case IOException e -> e;
      case InterruptedException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> new IOException(String.valueOf(cause), cause);
    };
  }
}
