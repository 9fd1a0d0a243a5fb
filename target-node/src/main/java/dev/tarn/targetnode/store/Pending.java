package dev.tarn.targetnode.store;

import dev.tarn.cluster.target.Failure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A change that waits in the {@link Committer}.
 *
 * @param <T> the result of a success
 */
final class Pending<T> {
  private final Change<T> change;
  private final Durability durability;
  private final CompletableFuture<CommitResult<T>> result = new CompletableFuture<>();
  private @Nullable CommitResult<T> prepared;
  private Runnable ended = () -> {};

  Pending(Change<T> change, Durability durability) {
    this.change = change;
    this.durability = durability;
  }

  Change<T> change() {
    return change;
  }

  Durability durability() {
    return durability;
  }

  boolean wantsCheckpoint() {
    return durability == Durability.CHECKPOINT;
  }

  CompletionStage<CommitResult<T>> result() {
    return result;
  }

  /** Sets a step that runs when the change ends, just before its result is complete. */
  void whenEnded(Runnable step) {
    ended = step;
  }

  /** Keeps the result until the change is as durable as requested. */
  void prepare(Decision<T> decision) {
    prepared =
        switch (decision) {
          case Decision.Write<T> write -> new CommitResult.Committed<>(write.result());
          case Decision.Nothing<T> nothing -> new CommitResult.Committed<>(nothing.result());
          case Decision.Forget<T> forget -> new CommitResult.Committed<>(forget.result());
          case Decision.Refuse<T> refuse -> new CommitResult.Refused<>(refuse.failure());
        };
  }

  /** Completes the stage with the prepared result. */
  void answer() {
    if (prepared == null) {
      throw new IllegalStateException("a commit is answered before it was decided");
    }
    ended.run();
    result.complete(prepared);
  }

  void fail(Failure failure, boolean inDoubt) {
    ended.run();
    result.complete(
        inDoubt ? new CommitResult.InDoubt<>(failure) : new CommitResult.Refused<>(failure));
  }
}
