package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What a stock client tells of a request that was refused. */
final class Refusals {
  private Refusals() {}

  /** The call fails with this error. */
  static void assertRefused(String code, int status, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.statusCode()).isEqualTo(status);
              // A HEAD has no document that could name the error.
              if (e.awsErrorDetails().errorCode() != null) {
                assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
              }
            });
  }
}
