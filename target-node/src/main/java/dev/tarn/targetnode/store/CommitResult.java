package dev.tarn.targetnode.store;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;

/**
 * How a commit ended.
 *
 * @param <T> what a success gives
 */
public sealed interface CommitResult<T> {
  /** It is visible and as durable as asked. */
  record Committed<T>(T value) implements CommitResult<T> {
    public Committed {
      requireNonNull(value, "value is null");
    }
  }

  /** It did nothing and never will have done anything. */
  record Refused<T>(Failure failure) implements CommitResult<T> {
    public Refused {
      requireNonNull(failure, "failure is null");
    }
  }

  /** It failed, but after the next start it may turn out to have happened. */
  record InDoubt<T>(Failure failure) implements CommitResult<T> {
    public InDoubt {
      requireNonNull(failure, "failure is null");
    }
  }

  /** The result as the target contract shows it. */
  default Outcome<T> outcome() {
    return switch (this) {
      case Committed<T> committed -> Outcome.success(committed.value());
      case Refused<T> refused -> Outcome.failed(refused.failure());
      case InDoubt<T> inDoubt -> Outcome.failed(inDoubt.failure());
    };
  }
}
