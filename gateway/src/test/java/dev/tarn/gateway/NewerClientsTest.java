package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.checksum.ChecksumValues;
import dev.tarn.cluster.checksum.StreamingDigest;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.gateway.Doors.Scheme;
import dev.tarn.gateway.Doors.Visit;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The SDKs of AWS and what is built on them, as they were captured on the wire. */
class NewerClientsTest {
  private static final String BODY = "what the client stores";
  private static final byte[] BYTES = BODY.getBytes(UTF_8);
  private static final String ETAG = "\"" + WireFixture.md5(BODY) + "\"";
  private static final String LENGTH = "Content-Length: " + BYTES.length + "\r\n";
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

  private static Doors doors;

  @BeforeAll
  static void open(@TempDir Path folder) throws Exception {
    doors = new Doors(folder, "clients");
  }

  @AfterAll
  static void close() {
    doors.close();
  }

  @ParameterizedTest
  @EnumSource
  void boto3(Scheme scheme) throws IOException {
    try (Visit visit = doors.visit(scheme)) {
      assertStored(putLikeBotocore(visit, scheme, ChecksumAlgorithm.CRC32), "crc32");
      assertReads(visit, "/clients/key");

      RawResponse listed =
          visit.send(
              "GET",
              "/clients?delimiter=%2F&encoding-type=url&list-type=2&max-keys=10&prefix=",
              Map.of());
      assertThat(listed.body()).contains("<EncodingType>url</EncodingType>", "<Key>key</Key>");

      String url = visit.signer().presignVersion2("GET", "/clients/key", Map.of());
      assertThat(get(visit, url).body()).isEqualTo(BODY);
    }
  }

  @ParameterizedTest
  @EnumSource
  void awsCli(Scheme scheme) throws IOException {
    try (Visit visit = doors.visit(scheme)) {
      assertStored(putLikeBotocore(visit, scheme, ChecksumAlgorithm.CRC64NVME), "crc64nvme");
      assertReads(visit, "/clients/key");

      RawResponse tags = visit.send("GET", "/clients/key?tagging=", Map.of());
      assertThat(tags.status()).isEqualTo(200);
      assertThat(tags.body()).containsAnyOf("<TagSet></TagSet>", "<TagSet/>");
    }
  }

  /** Over http with a signed hash, over https with a trailer and no length; both ask for leave. */
  private static RawResponse putLikeBotocore(
      Visit visit, Scheme scheme, ChecksumAlgorithm algorithm) throws IOException {
    Map<String, String> signed = new HashMap<>();
    signed.put("x-amz-sdk-checksum-algorithm", algorithm.name());
    signed.put("content-type", "binary/octet-stream");
    if (scheme == Scheme.HTTP) {
      signed.put(algorithm.headerName(), checksum(algorithm));
      return visit.send(
          "PUT",
          "/clients/key",
          HandSigner.sha256(BYTES),
          signed,
          "Expect: 100-continue\r\n" + LENGTH,
          BYTES);
    }
    return putWithTrailer(
        visit, "/clients/key", algorithm, signed, "Expect: 100-continue\r\n" + CHUNKED);
  }

  @ParameterizedTest
  @EnumSource
  void pyArrow(Scheme scheme) throws IOException {
    ChecksumAlgorithm crc64 = ChecksumAlgorithm.CRC64NVME;
    Map<String, String> signed =
        Map.of(
            "amz-sdk-invocation-id", "6F2E8B6C-0000-4F00-8000-000000000000",
            "amz-sdk-request", "attempt=1",
            "content-type", "application/octet-stream");
    try (Visit visit = doors.visit(scheme)) {
      RawResponse begun = visit.send("POST", "/clients/arrow?uploads=", signed, "");
      String id = textOf(begun, "UploadId");
      RawResponse part =
          putWithTrailer(
              visit, "/clients/arrow?partNumber=1&uploadId=" + id, crc64, signed, CHUNKED);
      assertThat(part.status()).isEqualTo(200);
      RawResponse completed =
          visit.send(
              "POST", "/clients/arrow?uploadId=" + id, signed, complete(part.header("ETag")));
      assertThat(completed.status()).isEqualTo(200);
      assertReads(visit, "/clients/arrow");

      RawResponse head =
          visit.send("HEAD", "/clients/arrow", Map.of("x-amz-checksum-mode", "ENABLED"));
      assertThat(head.header("x-amz-checksum-crc64nvme")).isEqualTo(checksum(crc64));
      assertThat(head.header("x-amz-checksum-type")).isEqualTo("FULL_OBJECT");
    }
  }

  @ParameterizedTest
  @EnumSource
  void javaSync(Scheme scheme) throws IOException {
    ChecksumAlgorithm crc32 = ChecksumAlgorithm.CRC32;
    try (Visit visit = doors.visit(scheme)) {
      RawResponse stored =
          scheme == Scheme.HTTP
              ? putSignedChunks(visit, crc32)
              : putWithTrailer(visit, "/clients/key", crc32, Map.of(), "");
      assertStored(stored, "crc32");

      RawResponse read =
          visit.send(
              "GET",
              "/clients/key",
              Map.of(
                  "x-amz-te", "append-md5",
                  "x-amz-checksum-crc32", "AAAAAA==",
                  "x-amz-checksum-mode", "ENABLED"));
      assertThat(read.body()).isEqualTo(BODY);
      assertThat(read.header("x-amz-checksum-crc32")).isEqualTo(checksum(crc32));
      assertThat(read.header("x-amz-transfer-encoding")).isEmpty();
    }
  }

  private static RawResponse putSignedChunks(Visit visit, ChecksumAlgorithm algorithm)
      throws IOException {
    HandSigner.Signed request =
        visit
            .signer()
            .sign("PUT", "/clients/key", AwsChunkedBody.SIGNED_TRAILER, trailed(algorithm));
    byte[] body = AwsChunkedBody.signed(visit.signer(), request, BYTES, 10, trailer(algorithm));
    return visit
        .connection()
        .send(request.with("Content-Length: " + body.length + "\r\n"))
        .send(body)
        .receive();
  }

  @ParameterizedTest
  @EnumSource
  void javaAsyncMultipart(Scheme scheme) throws IOException {
    ChecksumAlgorithm crc32 = ChecksumAlgorithm.CRC32;
    try (Visit visit = doors.visit(scheme)) {
      RawResponse begun =
          visit.send(
              "POST", "/clients/async?uploads=", Map.of("x-amz-checksum-algorithm", "CRC32"), "");
      assertThat(begun.header("x-amz-checksum-algorithm")).isEqualTo("CRC32");
      String id = textOf(begun, "UploadId");
      String target = "/clients/async?partNumber=1&uploadId=" + id;
      RawResponse part = putWithTrailer(visit, target, crc32, Map.of(), "");
      String document =
          complete(part.header("ETag"))
              .replace("</ETag>", "</ETag><ChecksumCRC32>" + checksum(crc32) + "</ChecksumCRC32>");

      RawResponse refused =
          visit.send(
              "POST",
              "/clients/async?uploadId=" + id,
              Map.of("x-amz-mp-object-size", "1"),
              document);
      assertThat(refused.status()).isEqualTo(400);
      RawResponse completed =
          visit.send(
              "POST",
              "/clients/async?uploadId=" + id,
              Map.of("x-amz-mp-object-size", Integer.toString(BYTES.length)),
              document);
      assertThat(completed.status()).isEqualTo(200);

      RawResponse first = visit.send("GET", "/clients/async?partNumber=1", Map.of());
      assertThat(first.status()).isEqualTo(206);
      assertThat(first.header("x-amz-mp-parts-count")).isEqualTo("1");
      assertThat(first.header("Content-Range"))
          .isEqualTo("bytes 0-" + (BYTES.length - 1) + "/" + BYTES.length);
      assertThat(first.body()).isEqualTo(BODY);
    }
  }

  @ParameterizedTest
  @EnumSource
  void javaCrt(Scheme scheme) throws IOException {
    try (Visit visit = doors.visit(scheme)) {
      RawResponse begun =
          visit
              .connection()
              .send(
                  visit
                      .signer()
                      .sign(
                          "POST",
                          "/clients/crt?uploads=",
                          "UNSIGNED-PAYLOAD",
                          Map.of("expect", "100-continue", "content-length", "0"))
                      .with("")
                      .replace("?uploads= ", "?uploads "))
              .receive();
      String id = textOf(begun, "UploadId");
      RawResponse part =
          putWithTrailer(
              visit,
              "/clients/crt?partNumber=1&uploadId=" + id,
              ChecksumAlgorithm.CRC32,
              Map.of(),
              "Expect: 100-continue\r\n");
      RawResponse completed =
          visit.send(
              "POST", "/clients/crt?uploadId=" + id, Map.of(), complete(part.header("ETag")));
      assertThat(completed.status()).isEqualTo(200);
      assertThat(completed.closes()).isFalse();
      assertReads(visit, "/clients/crt");
    }
  }

  @ParameterizedTest
  @EnumSource
  void javaScript(Scheme scheme) throws IOException {
    ChecksumAlgorithm crc32 = ChecksumAlgorithm.CRC32;
    try (Visit visit = doors.visit(scheme, "clients." + Doors.DOMAIN)) {
      RawResponse ofBytes =
          visit.send(
              "PUT",
              "/key?x-id=PutObject",
              Map.of(
                  "x-amz-checksum-crc32", checksum(crc32), "x-amz-sdk-checksum-algorithm", "CRC32"),
              BODY);
      assertStored(ofBytes, "crc32");
      RawResponse ofAStream =
          putWithTrailer(visit, "/key?x-id=PutObject", crc32, Map.of(), CHUNKED);
      assertStored(ofAStream, "crc32");
      assertReads(visit, "/key?x-id=GetObject");
    }
    try (Visit visit = doors.visit(scheme)) {
      assertThat(visit.send("GET", "/clients/?list-type=2", Map.of()).body())
          .contains("<Name>clients</Name>");
      RawResponse begun = visit.send("POST", "/clients/js?uploads=&x-id=Create", Map.of(), "");
      assertThat(begun.status()).isEqualTo(200);
      String delete = "<Delete><Object><Key>key</Key></Object></Delete>";
      RawResponse deleted =
          visit.send(
              "POST",
              "/clients/?delete=",
              Map.of(
                  "x-amz-checksum-crc32",
                  WireFixture.crc32(delete),
                  "x-amz-sdk-checksum-algorithm",
                  "CRC32"),
              delete);
      assertThat(deleted.body()).contains("<Deleted><Key>key</Key></Deleted>");
    }
  }

  private static RawResponse putWithTrailer(
      Visit visit,
      String target,
      ChecksumAlgorithm algorithm,
      Map<String, String> more,
      String framing)
      throws IOException {
    Map<String, String> signed = trailed(algorithm);
    signed.putAll(more);
    byte[] body = AwsChunkedBody.unsigned(BYTES, 10, trailer(algorithm));
    if (!framing.contains(CHUNKED)) {
      return visit.send(
          "PUT",
          target,
          AwsChunkedBody.UNSIGNED_TRAILER,
          signed,
          framing + "Content-Length: " + body.length + "\r\n",
          body);
    }
    String wire =
        Integer.toHexString(body.length) + "\r\n" + new String(body, UTF_8) + "\r\n0\r\n\r\n";
    return visit.send(
        "PUT", target, AwsChunkedBody.UNSIGNED_TRAILER, signed, framing, wire.getBytes(UTF_8));
  }

  private static Map<String, String> trailed(ChecksumAlgorithm algorithm) {
    Map<String, String> headers = new HashMap<>();
    headers.put("content-encoding", "aws-chunked");
    headers.put("x-amz-decoded-content-length", Integer.toString(BYTES.length));
    headers.put("x-amz-sdk-checksum-algorithm", algorithm.name());
    headers.put("x-amz-trailer", algorithm.headerName());
    return headers;
  }

  private static String trailer(ChecksumAlgorithm algorithm) {
    return algorithm.headerName() + ":" + checksum(algorithm);
  }

  private static String checksum(ChecksumAlgorithm algorithm) {
    StreamingDigest digest = StreamingDigest.of(algorithm);
    digest.update(ByteBuffer.wrap(BYTES));
    return ChecksumValues.ofBytes(algorithm, digest.finish()).value();
  }

  private static String complete(String etag) {
    return "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        + "<Part><PartNumber>1</PartNumber><ETag>"
        + etag
        + "</ETag></Part></CompleteMultipartUpload>";
  }

  private static void assertStored(RawResponse stored, String algorithm) {
    assertThat(stored.status()).as(stored.body()).isEqualTo(200);
    assertThat(stored.header("ETag")).isEqualTo(ETAG);
    assertThat(stored.header("x-amz-checksum-" + algorithm)).isNotEmpty();
  }

  private static void assertReads(Visit visit, String target) throws IOException {
    RawResponse read = visit.send("GET", target, Map.of());
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.body()).isEqualTo(BODY);
    assertThat(read.header("Content-Encoding")).isEmpty();
  }

  private static RawResponse get(Visit visit, String url) throws IOException {
    return visit.connection().send("GET " + url + " HTTP/1.1\r\nHost: any\r\n\r\n").receive();
  }

  private static String textOf(RawResponse response, String element) {
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.body().replaceFirst("(?s).*<" + element + ">([^<]*)</" + element + ">.*", "$1");
  }
}
