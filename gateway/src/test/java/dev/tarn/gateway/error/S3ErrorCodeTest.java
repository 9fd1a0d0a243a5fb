package dev.tarn.gateway.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class S3ErrorCodeTest {
  /** Stock clients do not follow a redirect, or follow it with a signature that is not for it. */
  @ParameterizedTest
  @EnumSource(names = "NOT_MODIFIED", mode = EnumSource.Mode.EXCLUDE)
  void noErrorSendsAClientElsewhere(S3ErrorCode code) {
    assertThat(code.httpStatus()).isBetween(400, 599);
  }
}
