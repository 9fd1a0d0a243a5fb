package dev.tarn.targetnode.store;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;

/**
 * How a commit ended.
 *
 * @param <T> the result of a success
 */
public sealed interface CommitResult<T> {
  /** The change is visible and as durable as requested. */
  record Committed<T>(T value) implements CommitResult<T> {
    public Committed {
      requireNonNull(value, "value is null");
    }
  }

  /** The change did nothing, and a restart does not change that. */
  record Refused<T>(Failure failure) implements CommitResult<T> {
    public Refused {
      requireNonNull(failure, "failure is null");
    }
  }

  /** The change failed, but may turn out to have happened after the next start. */
  record InDoubt<T>(Failure failure) implements CommitResult<T> {
    public InDoubt {
      requireNonNull(failure, "failure is null");
    }
  }

  /** The result as an outcome of the target contract. */
  default Outcome<T> outcome() {
    return switch (this) {
      case Committed<T> committed -> Outcome.success(committed.value());
      case Refused<T> refused -> Outcome.failed(refused.failure());
      case InDoubt<T> inDoubt -> Outcome.failed(inDoubt.failure());
    };
  }
}
