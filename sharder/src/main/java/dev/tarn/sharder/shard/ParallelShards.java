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

/** Does the same with each of many shards, several at a time. */
public final class ParallelShards {
  /** What is done with a shard. */
  @FunctionalInterface
  public interface Task<T> {
    T call(ShardPlace shard) throws IOException, InterruptedException;
  }

  /** What is done with the results. */
  @FunctionalInterface
  public interface Results<T> {
    void accept(T result) throws IOException;
  }

  private ParallelShards() {}

  /**
   * Does all, or throws what the first shard that fails throws; those under way are interrupted
   * then.
   *
   * @param jobs how many at a time
   * @param results is given the results in the order of the shards, by this thread
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
