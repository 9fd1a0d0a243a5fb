package dev.tarn.targetnode.local;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Incidents;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs the blocking steps of calls on worker threads, up to a bound. */
final class Work {
  private static final int ATTEMPTS_MAX = 5;

  private final Executor workers;
  private final int stepsMax;
  private final AtomicInteger steps = new AtomicInteger();

  /**
   * Uses these workers.
   *
   * @param stepsMax how many steps may wait or run; further ones fail as overloaded
   */
  Work(Executor workers, int stepsMax) {
    this.workers = workers;
    this.stepsMax = stepsMax;
  }

  /**
   * Runs a step on a worker.
   *
   * @param deadline of the call if this is its first step; later steps have none, because the call
   *     has begun
   */
  <T> CompletionStage<Outcome<T>> onWorker(
      Deadline deadline, DiskStore store, DiskStore.Step<T> step) {
    if (steps.incrementAndGet() > stepsMax) {
      steps.decrementAndGet();
      return completedFuture(
          Outcome.failed(
              new Failure.Overloaded(
                  "Too many steps wait for workers (limit " + stepsMax + "); retry later.")));
    }
    CompletableFuture<Outcome<T>> result = new CompletableFuture<>();
    try {
      workers.execute(() -> run(deadline, store, step, result));
    } catch (RejectedExecutionException e) {
      steps.decrementAndGet();
      result.complete(
          Outcome.failed(new Failure.Unavailable("Target is shutting down; retry later.")));
    }
    return result;
  }

  /** A commit of what a step has read. */
  @FunctionalInterface
  interface CommitStep<P, T> {
    CompletionStage<Outcome<T>> of(P read);
  }

  /**
   * Reads on a worker, then commits. Repeats both if the commit finds that the object that was read
   * has changed meanwhile.
   *
   * @param deadline of the call
   */
  <P, T> CompletionStage<Outcome<T>> untilWon(
      Deadline deadline, DiskStore store, DiskStore.Step<P> read, CommitStep<P, T> commit) {
    return untilWon(deadline, store, read, commit, 1);
  }

  private <P, T> CompletionStage<Outcome<T>> untilWon(
      Deadline deadline,
      DiskStore store,
      DiskStore.Step<P> read,
      CommitStep<P, T> commit,
      int attempt) {
    return onWorker(deadline, store, read)
        .thenCompose(outcome ->
            switch (outcome) {
              case Outcome.Failed<P> failed -> completedFuture(Outcome.failed(failed.failure()));
              case Outcome.Success<P>(P value) -> commit.of(value);
            })
        .thenCompose(outcome ->
            outcome instanceof Outcome.Failed<T>(Failure.LostRace lost) && attempt < ATTEMPTS_MAX
                ? untilWon(Deadline.NONE, store, read, commit, attempt + 1)
                : completedFuture(outcome));
  }

  private <T> void run(
      Deadline deadline,
      DiskStore store,
      DiskStore.Step<T> step,
      CompletableFuture<Outcome<T>> result) {
    Outcome<T> outcome;
    try {
      outcome = deadline.hasPassed() ? Outcome.failed(deadline.refusal()) : store.attempt(step);
    } catch (Error e) { // The caller would otherwise wait forever.
      outcome = Outcome.failed(new Failure.Bug(Incidents.log("A call failed", e)));
    }
    steps.decrementAndGet();
    result.complete(outcome);
  }
}
