package dev.tarn.targetnode.cache;

import dev.tarn.cluster.target.Failure;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A call cannot be carried out: its disk is out of service, or its body does not match its
 * declaration.
 */
final class CallRefusedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  CallRefusedException(Failure failure) {
    this(failure, null);
  }

  CallRefusedException(Failure failure, @Nullable Throwable cause) {
    super(failure.message(), cause);
    this.failure = failure;
  }

  Failure failure() {
    return failure;
  }
}
