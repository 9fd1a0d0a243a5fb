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

  /** S3 knows these for directory buckets alone. */
  @ParameterizedTest
  @CsvSource({
    "x-amz-if-match-size, 8, 412, PreconditionFailed",
    "x-amz-if-match-size, 999999999999, 412, PreconditionFailed",
    "x-amz-if-match-size, -7, 400, InvalidArgument",
    "x-amz-if-match-size, '', 400, InvalidArgument",
    "x-amz-if-match-last-modified-time, 'Thu, 01 Jan 2015 00:00:00 GMT', 412, PreconditionFailed",
    "x-amz-if-match-last-modified-time, yesterday, 400, InvalidArgument",
    "x-amz-if-match-initiated-time, 'Thu, 01 Jan 2015 00:00:00 GMT', 501, NotImplemented",
  })
  void objectOfAnotherSizeOrTimeIsNotDeleted(String name, String value, int status, String code)
      throws IOException {
    wire.store("kept", "content");

    RawResponse refused = wire.send("DELETE", "/wire/kept", Map.of(name, value), "");

    assertThat(refused.status()).isEqualTo(status);
    assertThat(refused.body()).contains("<Code>" + code + "</Code>", name);
    assertThat(wire.contentOf("kept")).isEqualTo("content");
  }

  @Test
  void objectOfTheNamedSizeAndTimeIsDeleted() throws IOException {
    wire.store("gone", "content");
    Map<String, String> conditions =
        Map.of(
            "x-amz-if-match-size",
            "7",
            "x-amz-if-match-last-modified-time",
            wire.send("GET", "/wire/gone", Map.of(), "").header("Last-Modified"));

    assertThat(wire.send("DELETE", "/wire/gone", conditions, "").status()).isEqualTo(204);
    assertThat(wire.contentOf("gone")).isEqualTo("404");
    assertThat(wire.send("DELETE", "/wire/gone", conditions, "").status()).isEqualTo(204);
  }

  @Test
  void listDeletesWhatHasTheNamedSizeAndTimeAlone() throws IOException {
    wire.store("kept", "content");
    wire.store("gone", "content");
    String time = wire.send("GET", "/wire/gone", Map.of(), "").header("Last-Modified");
    String document =
        "<Delete>"
            + "<Object><Key>kept</Key><Size>8</Size></Object>"
            + "<Object><Key>kept</Key><Size>7</Size>"
            + "<LastModifiedTime>Thu, 01 Jan 2015 00:00:00 GMT</LastModifiedTime></Object>"
            + "<Object><Key>none</Key><Size>0</Size></Object>"
            + ("<Object><Key>gone</Key><Size>7</Size><LastModifiedTime>" + time)
            + "</LastModifiedTime></Object></Delete>";

    RawResponse deleted = sendList(document, Map.of("content-md5", md5(document)));

    assertThat(deleted.body())
        .contains("<Deleted><Key>gone</Key></Deleted>")
        .contains("<Error><Key>kept</Key><Code>PreconditionFailed</Code>")
        .contains("<Deleted><Key>none</Key></Deleted>")
        .doesNotContain("<Deleted><Key>kept</Key>");
    assertThat(wire.contentOf("kept")).isEqualTo("content");
    assertThat(wire.contentOf("gone")).isEqualTo("404");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"<Size>7 bytes</Size>", "<Size/>", "<LastModifiedTime>1</LastModifiedTime>"})
  void listWithAConditionThatIsNoneIsRefusedAndNothingIsDeleted(String condition)
      throws IOException {
    wire.store("kept", "content");
    String document =
        "<Delete><Object><Key>kept</Key></Object><Object><Key>other</Key>"
            + condition
            + "</Object></Delete>";

    RawResponse refused = sendList(document, Map.of("content-md5", md5(document)));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>InvalidArgument</Code>");
    assertThat(wire.contentOf("kept")).isEqualTo("content");
  }

  @ParameterizedTest
  @CsvSource({"a\u0017b,a&#x17;b", "a\u0017b,a&#23;b", "a\uFFFEb,a&#xFFFE;b", "a\u0001b,a&#x01;b"})
  void keyIsDeletedByTheReferencesThatListingsShow(String key, String named) throws IOException {
    wire.store(key, "content");
    String document =
        "<Delete><Object><Key>"
            + named
            + "</Key></Object><Object><Key>other</Key></Object></Delete>";

    assertThat(sendList(document, Map.of("content-md5", md5(document))).status()).isEqualTo(200);
    assertThat(wire.keys()).doesNotContain(key);
  }

  @Test
  void deletionWithASourceOfACopyIsRefused() throws IOException {
    wire.store("kept", "content");

    RawResponse refused =
        wire.send("DELETE", "/wire/kept", Map.of("x-amz-copy-source", "/wire/kept"), "");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>InvalidArgument</Code>");
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
