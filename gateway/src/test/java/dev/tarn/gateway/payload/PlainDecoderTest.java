package dev.tarn.gateway.payload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.gateway.auth.PayloadPlan;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainDecoderTest {
  private static final byte[] BODY = "hello world".getBytes(US_ASCII);
  private static final PayloadPlan UNSIGNED = new PayloadPlan.Unsigned();
  private static final PayloadPlan SIGNED =
      new PayloadPlan.Sha256("b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 100})
  void bodyOfTheSignedContentIsDecodedFromPiecesOfAnySize(int pieceLength) {
    PayloadDecoder decoder = open(SIGNED, "content-length", "11");
    assertThat(decoder.decodedLength()).isEqualTo(11);
    assertThat(ChunkedBodies.decode(decoder, BODY, pieceLength)).isEqualTo(BODY);
  }

  @Test
  void flippedBitAnywhereInASignedBodyIsRefused() {
    for (int bit = 0; bit < 8 * BODY.length; bit++) {
      byte[] tampered = BODY.clone();
      tampered[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(refusal(open(SIGNED, "content-length", "11"), tampered))
          .isEqualTo(S3ErrorCode.X_AMZ_CONTENT_SHA256_MISMATCH);
    }
  }

  @Test
  void bodyOfUnknownLengthIsTakenUpToTheLimit() {
    PayloadDecoder decoder = open(UNSIGNED, "transfer-encoding", "chunked", "content-length", "3");
    assertThat(decoder.decodedLength()).isEqualTo(IncomingBody.UNKNOWN_LENGTH);
    assertThat(ChunkedBodies.decode(decoder, BODY, 3)).isEqualTo(BODY);
    assertThat(refusal(open(UNSIGNED, "transfer-encoding", "chunked"), new byte[101]))
        .isEqualTo(S3ErrorCode.ENTITY_TOO_LARGE);
  }

  @ParameterizedTest
  @CsvSource({"10, INCOMPLETE_BODY", "12, INCOMPLETE_BODY"})
  void bodyOfAnotherLengthThanPromisedIsRefused(String length, S3ErrorCode code) {
    assertThat(refusal(open(UNSIGNED, "content-length", length), BODY)).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "content-length, 101, ENTITY_TOO_LARGE",
    "content-length, -1, INVALID_ARGUMENT",
    "content-length, many, INVALID_ARGUMENT",
    "content-md5, XrY7u+Ae7tCTyyK7j1rNww, ''",
    "content-md5, XrY7u+Ae7tCTyyK7j1rN, INVALID_DIGEST",
    "content-md5, '', INVALID_DIGEST",
    "content-md5, not base64, INVALID_DIGEST",
    "x-amz-checksum-crc32, DUoRhQ==, ''",
    "x-amz-checksum-crc32, DUoRhQ, ''",
    "x-amz-checksum-crc32, DUoR, INVALID_REQUEST",
    "x-amz-checksum-crc64, AAAAAA==, INVALID_REQUEST",
    "x-amz-checksum-type, FULL_OBJECT, ''",
    "x-amz-sdk-checksum-algorithm, crc64nvme, INVALID_REQUEST",
    "x-amz-sdk-checksum-algorithm, XXHASH, INVALID_REQUEST",
    "x-amz-trailer, x-amz-checksum-crc32, INVALID_REQUEST",
    "x-amz-trailer, x-amz-meta-a, INVALID_REQUEST",
  })
  void headersAreRefusedBeforeTheBodyComes(String name, String value, String code) {
    S3Exception refusal =
        catchThrowableOfType(S3Exception.class, () -> open(UNSIGNED, name, value));
    assertThat(refusal == null ? "" : refusal.code().name()).isEqualTo(code);
  }

  @Test
  void declaredDigestsAreTold() {
    PayloadDecoder decoder =
        open(
            UNSIGNED,
            "content-md5",
            "XrY7u+Ae7tCTyyK7j1rNww==",
            "x-amz-checksum-crc32",
            "DUoRhQ==");
    ChunkedBodies.decode(decoder, BODY, 100);
    ObjectChecksum checksum = decoder.declaredDigests().checksums().getFirst();
    assertThat(checksum.algorithm()).isEqualTo(ChecksumAlgorithm.CRC32);
    assertThat(checksum.value()).isEqualTo("DUoRhQ==");
    assertThat(decoder.declaredDigests().md5Hex()).hasValue("5eb63bbbe01eeed093cb22bb8f5acdc3");
  }

  @Test
  void onlyOneChecksumMayBeDeclared() {
    S3Exception refusal =
        catchThrowableOfType(
            S3Exception.class,
            () ->
                open(
                    UNSIGNED,
                    "x-amz-checksum-crc32",
                    "DUoRhQ==",
                    "x-amz-checksum-crc32c",
                    "DUoRhQ=="));
    assertThat(refusal.code()).isEqualTo(S3ErrorCode.INVALID_REQUEST);
  }

  @Test
  void storedEncodingIsCleanOfTheTransfer() {
    assertThat(ContentEncodings.ofObject(List.of())).isEmpty();
    assertThat(ContentEncodings.ofObject(List.of("aws-chunked"))).isEmpty();
    assertThat(ContentEncodings.ofObject(List.of("aws-chunked, gzip", "AWS-chunked")))
        .isEqualTo("gzip");
    assertThat(ContentEncodings.ofObject(List.of("aws-chunked,", " , AWS-chunked "))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'gzip, br', 'gzip, br'",
    "'gzip,br', 'gzip,br'",
    "GZip, GZip",
    "'aws-chunked, gzip, br', 'gzip, br'",
    "'gzip, aws-chunked, br', 'gzip, br'",
    "'gzip;q=1.0,  identity', 'gzip;q=1.0,  identity'",
  })
  void storedEncodingKeepsItsSpelling(String sent, String stored) {
    assertThat(ContentEncodings.ofObject(List.of(sent))).isEqualTo(stored);
    assertThat(ContentEncodings.ofObject(List.of(sent, "aws-chunked"))).isEqualTo(stored);
  }

  private static PayloadDecoder open(PayloadPlan plan, String... headers) {
    return PayloadDecoders.open(Headers.of(headers), plan, 100);
  }

  private static S3ErrorCode refusal(PayloadDecoder decoder, byte[] body) {
    return catchThrowableOfType(S3Exception.class, () -> ChunkedBodies.decode(decoder, body, 4))
        .code();
  }
}
