package dev.tarn.targetnode.local;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Incidents;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs what blocks on worker threads, and turns what goes wrong there into failures. */
final class Work {
  private final Executor workers;

  Work(Executor workers) {
    this.workers = workers;
  }

  /** Something that reads a disk. */
  @FunctionalInterface
  interface Step<T> {
    Outcome<T> run() throws IOException;
  }

  Executor workers() {
    return workers;
  }

  /** Runs a step on a worker. */
  <T> CompletionStage<Outcome<T>> onWorker(DiskStore store, Step<T> step) {
    CompletableFuture<Outcome<T>> result = new CompletableFuture<>();
    try {
      workers.execute(() -> result.complete(here(store, step)));
    } catch (RejectedExecutionException e) {
      result.complete(
          Outcome.failed(new Failure.Overloaded("all workers are busy and their queue is full")));
    }
    return result;
  }

  /** Runs a step on the caller's thread. */
  static <T> Outcome<T> here(DiskStore store, Step<T> step) {
    try {
      return step.run();
    } catch (IOException e) {
      return Outcome.failed(store.health().failureOf(e));
    } catch (RuntimeException e) {
      return Outcome.failed(new Failure.Bug(Incidents.log("A call failed", e)));
    }
  }
}
