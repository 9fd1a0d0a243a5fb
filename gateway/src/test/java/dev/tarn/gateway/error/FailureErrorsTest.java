package dev.tarn.gateway.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.Failure;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureErrorsTest {
  @Test
  void smallPartTellsItsSizeAndTheLeast() {
    S3Error error = FailureErrors.errorOf(new Failure.PartTooSmall(3, 10, 5_242_880));
    assertThat(error.code()).isEqualTo(S3ErrorCode.ENTITY_TOO_SMALL);
    assertThat(error.fields())
        .containsEntry("ProposedSize", "10")
        .containsEntry("MinSizeAllowed", "5242880")
        .containsEntry("PartNumber", "3");
  }

  @Test
  void refusedCapabilityIsNotToldToTheClient() {
    S3Error error = FailureErrors.errorOf(new Failure.Forbidden("capability expired"));
    assertThat(error).isEqualTo(S3Error.of(S3ErrorCode.INTERNAL_ERROR));
  }

  @ParameterizedTest
  @CsvSource({
    "0, '', SERVICE_UNAVAILABLE",
    "500, InternalError, SERVICE_UNAVAILABLE",
    "501, NotImplemented, NOT_IMPLEMENTED",
    "400, EntityTooSmall, ENTITY_TOO_SMALL",
    "404, NoSuchUpload, NO_SUCH_UPLOAD",
    "403, AccessDenied, ACCESS_DENIED",
    "403, SignatureDoesNotMatch, ACCESS_DENIED",
    "403, '', ACCESS_DENIED",
    "404, NoSuchBucket, INVALID_BUCKET_STATE",
    "400, AuthorizationHeaderMalformed, INVALID_BUCKET_STATE",
    "403, InvalidObjectState, INVALID_OBJECT_STATE",
    "401, '', ACCESS_DENIED",
    "400, Unheard, INVALID_REQUEST",
    "400, '', INVALID_REQUEST",
    "405, '', METHOD_NOT_ALLOWED",
    "409, '', OPERATION_ABORTED",
    "429, TooManyRequests, SERVICE_UNAVAILABLE",
    "502, BackendAnswer, BACKEND_ANSWER",
  })
  void permanentRefusalOfTheBackendIsNoRetryable503(
      int httpStatus, String code, S3ErrorCode expected) {
    Failure failure = new Failure.BackendFailed(httpStatus, code, "the backend said no");
    assertThat(FailureErrors.errorOf(failure).code()).isEqualTo(expected);
  }

  @Test
  void noErrorSendsAClientElsewhere() {
    assertThat(Arrays.stream(S3ErrorCode.values()).filter(code -> code.httpStatus() < 400))
        .containsExactly(S3ErrorCode.NOT_MODIFIED);
  }

  @Test
  void everyCodeIsFoundByItsName() {
    assertThat(Arrays.stream(S3ErrorCode.values()))
        .allSatisfy(code ->
            assertThat(S3ErrorCode.find(code.code()).map(S3ErrorCode::code)).hasValue(code.code()));
    assertThat(S3ErrorCode.find("InvalidRange")).hasValue(S3ErrorCode.INVALID_RANGE);
    assertThat(S3ErrorCode.find("Unheard")).isEmpty();
  }
}
