package dev.tarn.targetnode.backend;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.Failure;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A call to the backend failed; carries the failure for the caller. */
public final class BackendException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final transient Failure failure;
  private final boolean unreachable;

  /**
   * A failed call.
   *
   * @param unreachable whether the backend gave no proper answer: no connection, a time-out, or a
   *     5xx
   */
  public BackendException(Failure failure, boolean unreachable, @Nullable Throwable cause) {
    super(requireNonNull(failure, "failure is null").message(), cause);
    this.failure = failure;
    this.unreachable = unreachable;
  }

  /** The failure for the caller. */
  public Failure failure() {
    return failure;
  }

  /** Whether the backend answered that the object, or this one of it, is not there. */
  public boolean isAboutObject() {
    return failure instanceof Failure.PreconditionFailed
        || failure instanceof Failure.NoSuchKey
        || failure instanceof Failure.NoSuchVersion
        || failure instanceof Failure.RangeNotSatisfiable;
  }

  /**
   * Whether the backend gave no proper answer (no connection, a time-out, or a 5xx), so that cached
   * bytes may still be served.
   */
  public boolean unreachable() {
    return unreachable;
  }
}
