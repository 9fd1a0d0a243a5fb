package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.checksum.ChecksumValues;
import dev.tarn.cluster.checksum.StreamingDigest;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.gateway.Doors.Scheme;
import dev.tarn.gateway.Doors.Visit;
import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that sign by their own rules, as they were captured on the wire. */
class OtherClientsTest {
  private static final String BODY = "what the client stores";
  private static final byte[] BYTES = BODY.getBytes(UTF_8);
  private static final String LENGTH = "Content-Length: " + BYTES.length + "\r\n";
  private static final String UNSIGNED = WireFixture.UNSIGNED;

  private static Doors doors;

  @BeforeAll
  static void open(@TempDir Path folder) throws Exception {
    doors = new Doors(folder, "clients");
  }

  @AfterAll
  static void close() {
    doors.close();
  }

  /** Polars and others on Rust's object_store. */
  @ParameterizedTest
  @EnumSource
  void objectStoreOfRust(Scheme scheme) throws IOException {
    ChecksumAlgorithm crc64 = ChecksumAlgorithm.CRC64NVME;
    Map<String, String> checksum = Map.of(crc64.headerName(), checksum(crc64));
    try (Visit visit = doors.visit(scheme)) {
      RawResponse stored = visit.send("PUT", "/clients/rust", UNSIGNED, checksum, LENGTH, BYTES);
      assertThat(stored.status()).isEqualTo(200);
      assertThat(stored.header(crc64.headerName())).isEqualTo(checksum(crc64));

      String id =
          uploadId(
              visit.send(
                  "POST",
                  "/clients/parts?uploads=",
                  UNSIGNED,
                  Map.of("x-amz-checksum-algorithm", "CRC64NVME"),
                  "Content-Length: 0\r\n",
                  new byte[0]));
      RawResponse part =
          visit.send(
              "PUT",
              "/clients/parts?partNumber=1&uploadId=" + id,
              UNSIGNED,
              checksum,
              LENGTH,
              BYTES);
      String document =
          "<CompleteMultipartUpload><Part><ETag>"
              + part.header("ETag")
              + "</ETag><PartNumber>1</PartNumber><ChecksumCRC64NVME>"
              + checksum(crc64)
              + "</ChecksumCRC64NVME></Part></CompleteMultipartUpload>";
      RawResponse completed =
          visit.send("POST", "/clients/parts?uploadId=" + id, Map.of(), document);
      assertThat(completed.status()).as(completed.body()).isEqualTo(200);
      assertReads(visit, "/clients/parts");

      assertThat(visit.send("GET", "/clients?list-type=2&prefix=rust", Map.of()).body())
          .contains("<Key>rust</Key>")
          .doesNotContain("EncodingType");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tensorStore(Scheme scheme) throws IOException {
    try (Visit visit = doors.visit(scheme)) {
      RawResponse missing = visit.send("HEAD", "/clients/tensor", Map.of("if-match", "\"\""));
      assertThat(missing.status()).isEqualTo(404);
      RawResponse first =
          visit.send("PUT", "/clients/tensor", Map.of("if-none-match", "*"), "first");
      assertThat(first.status()).isEqualTo(200);
      assertThat(visit.send("PUT", "/clients/tensor", Map.of("if-none-match", "*"), BODY).status())
          .isEqualTo(412);
      assertThat(
              visit
                  .send("PUT", "/clients/tensor", Map.of("if-match", first.header("ETag")), BODY)
                  .status())
          .isEqualTo(200);
      assertThat(
              visit
                  .send("PUT", "/clients/tensor", Map.of("if-match", first.header("ETag")), BODY)
                  .status())
          .isEqualTo(412);
      assertThat(visit.send("HEAD", "/clients/tensor", Map.of("if-match", "\"\"")).status())
          .isEqualTo(412);

      RawResponse read =
          visit.send("GET", "/clients/tensor", Map.of("accept-encoding", "gzip,br,zstd"));
      assertThat(read.body()).isEqualTo(BODY);
      assertThat(read.headers()).doesNotContainKeys("Content-Encoding", "Transfer-Encoding");
    }
  }

  @ParameterizedTest
  @EnumSource
  void restic(Scheme scheme) throws IOException {
    try (Visit visit = doors.visit(scheme)) {
      RawResponse location = visit.send("GET", "/clients/?location=", Map.of());
      assertThat(location.status()).isEqualTo(200);
      assertThat(location.body()).contains("LocationConstraint");

      putSignedChunks(visit, "/clients/restic/data/00");
      assertReads(visit, "/clients/restic/data/00");
      assertThat(
              visit
                  .send(
                      "GET",
                      "/clients/?delimiter=%2F&fetch-owner=true&list-type=2&prefix=restic%2Fdata%2F",
                      Map.of())
                  .body())
          .contains("<Key>restic/data/00</Key>");
      assertThat(visit.send("DELETE", "/clients/restic/data/00", Map.of()).status()).isEqualTo(204);
    }
  }

  @ParameterizedTest
  @EnumSource
  void mc(Scheme scheme) throws IOException {
    try (Visit visit = doors.visit(scheme)) {
      assertThat(visit.send("GET", "/clients/?location=", Map.of()).status()).isEqualTo(200);
      RawResponse lock = visit.send("GET", "/clients/?object-lock=", Map.of());
      assertThat(lock.status()).isEqualTo(404);
      assertThat(lock.body()).contains("ObjectLockConfigurationNotFoundError");

      if (scheme == Scheme.HTTP) {
        putSignedChunks(visit, "/clients/mc");
      } else {
        RawResponse stored =
            visit.send("PUT", "/clients/mc", UNSIGNED, Map.of("content-md5", md5()), LENGTH, BYTES);
        assertThat(stored.status()).isEqualTo(200);
      }
      assertReads(visit, "/clients/mc");
      RawResponse versions =
          visit.send(
              "GET",
              "/clients/?delimiter=%2F&encoding-type=url&max-keys=1000&prefix=mc&versions=",
              Map.of());
      assertThat(versions.body())
          .contains("<Key>mc</Key><VersionId>null</VersionId><IsLatest>true</IsLatest>");
    }
  }

  private static void putSignedChunks(Visit visit, String target) throws IOException {
    Signed request =
        visit
            .signer()
            .sign(
                "PUT",
                target,
                AwsChunkedBody.SIGNED,
                Map.of("x-amz-decoded-content-length", Integer.toString(BYTES.length)));
    byte[] body = AwsChunkedBody.signed(visit.signer(), request, BYTES, 10);
    RawResponse stored =
        visit
            .connection()
            .send(request.with("Content-Length: " + body.length + "\r\n"))
            .send(body)
            .receive();
    assertThat(stored.status()).as(stored.body()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void minioJava(Scheme scheme) throws IOException {
    String crc32c = AwsChunkedBody.crc32c(BYTES);
    String emptyMd5 = "1B2M2Y8AsgTpgAmY7PhCfg==";
    String configuration =
        "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            + "<LocationConstraint>us-east-1</LocationConstraint></CreateBucketConfiguration>";
    try (Visit visit = doors.visit(scheme)) {
      assertThat(
              visit
                  .send(
                      "PUT",
                      "/minio-java",
                      Map.of("content-md5", md5(configuration)),
                      configuration)
                  .status())
          .isEqualTo(200);
      Map<String, String> signed =
          Map.of("x-amz-checksum-crc32c", crc32c, "x-amz-sdk-checksum-algorithm", "crc32c");
      RawResponse stored =
          scheme == Scheme.HTTP
              ? visit.send("PUT", "/minio-java/key", signed, BODY)
              : visit.send("PUT", "/minio-java/key", UNSIGNED, signed, LENGTH, BYTES);
      assertThat(stored.status()).isEqualTo(200);
      assertThat(stored.header("x-amz-checksum-crc32c")).isEqualTo(crc32c);

      assertThat(visit.send("GET", "/minio-java/key", Map.of("content-md5", emptyMd5)).body())
          .isEqualTo(BODY);
      RawResponse begun =
          visit.send(
              "POST",
              "/minio-java/up?uploads=",
              Map.of("content-md5", emptyMd5, "x-amz-checksum-algorithm", "crc32c"),
              "");
      assertThat(begun.header("x-amz-checksum-algorithm")).isEqualTo("CRC32C");
      String abort = "/minio-java/up?uploadId=" + uploadId(begun);
      assertThat(visit.send("DELETE", abort, Map.of()).status()).isEqualTo(204);
      assertThat(visit.send("DELETE", "/minio-java/key", Map.of()).status()).isEqualTo(204);
      assertThat(visit.send("DELETE", "/minio-java", Map.of()).status()).isEqualTo(204);
    }
  }

  @ParameterizedTest
  @EnumSource
  void minioJs(Scheme scheme) throws IOException {
    try (Visit visit = doors.visit(scheme)) {
      RawResponse stored =
          scheme == Scheme.HTTP
              ? visit.send("PUT", "/clients/js", Map.of(), BODY)
              : visit.send(
                  "PUT", "/clients/js", UNSIGNED, Map.of("content-md5", md5()), LENGTH, BYTES);
      assertThat(stored.status()).isEqualTo(200);

      RawResponse all =
          visit.send(
              "GET",
              "/clients?delimiter=&encoding-type=url&list-type=2&max-keys=1000&prefix=",
              Map.of());
      assertThat(all.body()).contains("<Key>js</Key>").doesNotContain("CommonPrefixes");
      RawResponse tagged =
          visit.send(
              "PUT",
              "/clients?tagging=",
              Map.of(),
              "<Tagging><TagSet><Tag><Key>team</Key><Value>maps</Value></Tag></TagSet></Tagging>");
      assertThat(tagged.status()).as(tagged.body()).isEqualTo(200);
      assertThat(tagged.body()).isEmpty();
      RawResponse first = visit.send("GET", "/clients?delimiter=&max-keys=1000&prefix=", Map.of());
      assertThat(first.body()).contains("<Key>js</Key>").doesNotContain("CommonPrefixes");
    }
  }

  @ParameterizedTest
  @EnumSource
  void rclone(Scheme scheme) throws IOException {
    try (Visit visit = doors.visit(scheme)) {
      RawResponse again = visit.send("PUT", "/clients", Map.of(), "");
      assertThat(again.status()).as(again.body()).isEqualTo(200);

      Map<String, String> signed =
          Map.of("content-md5", md5(), "x-amz-meta-mtime", "1700000000.123456789");
      RawResponse stored =
          scheme == Scheme.HTTP
              ? visit.send("PUT", "/clients/rclone", signed, BODY)
              : visit.send("PUT", "/clients/rclone", UNSIGNED, signed, LENGTH, BYTES);
      assertThat(stored.status()).isEqualTo(200);
      RawResponse head = visit.send("HEAD", "/clients/rclone", Map.of());
      assertThat(head.header("x-amz-meta-mtime")).isEqualTo("1700000000.123456789");
      assertThat(head.header("ETag")).isEqualTo("\"" + WireFixture.md5(BODY) + "\"");
    }
  }

  @ParameterizedTest
  @EnumSource
  void s3cmd(Scheme scheme) throws IOException {
    try (Visit visit = doors.visit(scheme)) {
      Map<String, String> signed = Map.of("content-md5", md5(), "x-amz-storage-class", "STANDARD");
      assertThat(visit.send("PUT", "/clients/s3cmd", signed, BODY).status()).isEqualTo(200);
      RawResponse copied =
          visit.send(
              "PUT",
              "/clients/copy",
              Map.of(
                  "x-amz-copy-source", "/clients/s3cmd",
                  "x-amz-metadata-directive", "COPY"),
              "");
      assertThat(copied.status()).isEqualTo(200);
      RawResponse acl = visit.send("GET", "/clients/s3cmd?acl=", Map.of());
      assertThat(acl.status()).isEqualTo(200);
      assertThat(visit.send("PUT", "/clients/copy?acl=", Map.of(), acl.body()).status())
          .isEqualTo(200);
      assertReads(visit, "/clients/copy");
    }
  }

  private static void assertReads(Visit visit, String target) throws IOException {
    RawResponse read = visit.send("GET", target, Map.of());
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.body()).isEqualTo(BODY);
    assertThat(read.header("Content-Encoding")).isEmpty();
  }

  private static String uploadId(RawResponse begun) {
    assertThat(begun.status()).as(begun.body()).isEqualTo(200);
    return begun.body().replaceFirst("(?s).*<UploadId>([^<]*)</UploadId>.*", "$1");
  }

  private static String checksum(ChecksumAlgorithm algorithm) {
    StreamingDigest digest = StreamingDigest.of(algorithm);
    digest.update(ByteBuffer.wrap(BYTES));
    return ChecksumValues.ofBytes(algorithm, digest.finish()).value();
  }

  private static String md5() {
    return md5(BODY);
  }

  private static String md5(String text) {
    return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(WireFixture.md5(text)));
  }
}
