package dev.tarn.targetnode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.fixtures.s3.Received;
import dev.tarn.fixtures.s3.SmallS3;
import java.util.function.Predicate;

/** What becomes of a field of a request in a bucket with a backend. */
sealed interface FieldDecision {
  /** A call to the target. */
  interface Step {
    Outcome<?> run();
  }

  /** Fails unless the decision is what happens. */
  void show(SmallS3 backend);

  /** It reaches the backend: the call leads to such a request. */
  record Sent(Step call, Predicate<Received> request) implements FieldDecision {
    @Override
    public void show(SmallS3 backend) {
      int before = backend.received().size();
      call.run();
      assertThat(backend.received().subList(before, backend.received().size())).anyMatch(request);
    }
  }

  /** A call with it is refused as the caller's fault, or as not implemented. */
  record Refused(Step call) implements FieldDecision {
    private static final int NOT_IMPLEMENTED = 501;

    @Override
    public void show(SmallS3 backend) {
      assertThat(call.run())
          .isInstanceOfSatisfying(
              Outcome.Failed.class, failed -> assertThat(failed.failure()).matches(this::refuses));
    }

    private boolean refuses(Object failure) {
      return failure instanceof Failure.BackendFailed backend
          ? backend.httpStatus() == NOT_IMPLEMENTED
          : ((Failure) failure).category() == Failure.Category.CALLER;
    }
  }

  /**
   * The target itself does what it asks for.
   *
   * @param how in words
   */
  record Here(String how) implements FieldDecision {
    @Override
    public void show(SmallS3 backend) {
      assertThat(how).isNotEmpty();
    }
  }
}
