package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.checksum.ChecksumValues;
import dev.tarn.cluster.checksum.StreamingDigest;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deleting one key, under conditions, and many by a list. */
class DeletesTest {
  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
  }

  @ParameterizedTest
  @EnumSource
  void listServesWithAnyChecksum(ChecksumAlgorithm algorithm) throws IOException {
    wire.store("gone", "content");
    String document = "<Delete><Object><Key>gone</Key></Object></Delete>";
    StreamingDigest digest = StreamingDigest.of(algorithm);
    digest.update(ByteBuffer.wrap(document.getBytes(US_ASCII)));
    String value = ChecksumValues.ofBytes(algorithm, digest.finish()).value();

    assertThat(sendList(document, Map.of(algorithm.headerName(), value)).body())
        .contains("<Deleted><Key>gone</Key></Deleted>");
    assertThat(wire.contentOf("gone")).isEqualTo("404");
  }

  @Test
  void listServesWithAnMd5() throws IOException {
    wire.store("gone", "content");
    String document = "<Delete><Object><Key>gone</Key></Object></Delete>";

    assertThat(sendList(document, Map.of("content-md5", md5(document))).body())
        .contains("<Deleted><Key>gone</Key></Deleted>");
    assertThat(wire.contentOf("gone")).isEqualTo("404");
  }

  @Test
  void quietAnswerTellsOfErrorsAlone() throws IOException {
    wire.store("gone", "content");
    wire.store("kept", "content");
    String document =
        "<Delete><Quiet>true</Quiet><Object><Key>gone</Key></Object>"
            + "<Object><Key>kept</Key><ETag>other</ETag></Object></Delete>";

    RawResponse deleted = sendList(document, Map.of("content-md5", md5(document)));

    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.body())
        .doesNotContain("<Deleted>", "gone")
        .contains("<Error><Key>kept</Key><Code>PreconditionFailed</Code>");
    assertThat(wire.contentOf("gone")).isEqualTo("404");
    assertThat(wire.contentOf("kept")).isEqualTo("content");
  }

  @ParameterizedTest
  @CsvSource({"'\"any\"', 404", "*, 404"})
  void conditionOnWhatIsNotThereIsToldThatItIsMissing(String etag, int status) throws IOException {
    RawResponse refused = wire.send("DELETE", "/wire/none", Map.of("if-match", etag), "");

    assertThat(refused.status()).isEqualTo(status);
    assertThat(refused.body()).contains("<Code>NoSuchKey</Code>");
  }

  /** S3 knows them for directory buckets alone; ignored, they would delete what was to stay. */
  @ParameterizedTest
  @CsvSource({
    "x-amz-if-match-size, 999",
    "x-amz-if-match-last-modified-time, 'Thu, 01 Jan 2015 00:00:00 GMT'",
  })
  void conditionThatIsNotJudgedIsRefusedAndNothingIsDeleted(String name, String value)
      throws IOException {
    wire.store("kept", "content");

    RawResponse refused = wire.send("DELETE", "/wire/kept", Map.of(name, value), "");

    assertThat(refused.status()).isEqualTo(501);
    assertThat(refused.body()).contains("<Code>NotImplemented</Code>", name);
    assertThat(wire.contentOf("kept")).isEqualTo("content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<Size>7</Size>", "<LastModifiedTime>2015-01-01</LastModifiedTime>"})
  void listWithAConditionThatIsNotJudgedIsRefusedAndNothingIsDeleted(String condition)
      throws IOException {
    wire.store("kept", "content");
    String document =
        "<Delete><Object><Key>kept</Key></Object><Object><Key>other</Key>"
            + condition
            + "</Object></Delete>";

    RawResponse refused = sendList(document, Map.of("content-md5", md5(document)));

    assertThat(refused.status()).isEqualTo(501);
    assertThat(refused.body()).contains("<Code>NotImplemented</Code>");
    assertThat(wire.contentOf("kept")).isEqualTo("content");
  }

  @Test
  void uploadIsNotAbortedUnderAConditionThatIsNotJudged() throws IOException {
    String id = wire.s3().createMultipartUpload(r -> r.bucket("wire").key("kept")).uploadId();

    RawResponse refused =
        wire.send(
            "DELETE",
            "/wire/kept?uploadId=" + id,
            Map.of("x-amz-if-match-initiated-time", "Thu, 01 Jan 2015 00:00:00 GMT"),
            "");

    assertThat(refused.status()).isEqualTo(501);
    assertThat(wire.s3().listMultipartUploads(r -> r.bucket("wire")).uploads())
        .anySatisfy(open -> assertThat(open.uploadId()).isEqualTo(id));
  }

  private static RawResponse sendList(String document, Map<String, String> headers)
      throws IOException {
    return wire.send("POST", "/wire?delete=", headers, document);
  }

  private static String md5(String text) {
    return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(WireFixture.md5(text)));
  }
}
