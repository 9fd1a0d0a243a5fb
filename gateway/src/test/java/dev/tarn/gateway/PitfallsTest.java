package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/** What has broken clients elsewhere. docs/S3.md says where each known pitfall has its test. */
class PitfallsTest {
  private static final String UNSIGNED = WireFixture.UNSIGNED;

  /** Every parameter that selects an operation somewhere in S3, and some that nobody knows. */
  private static final List<String> SUBRESOURCES =
      List.of(
          "accelerate",
          "acl",
          "analytics",
          "annotation",
          "attributes",
          "cors",
          "delete",
          "encryption",
          "intelligent-tiering",
          "inventory",
          "legal-hold",
          "lifecycle",
          "location",
          "logging",
          "metadataTable",
          "metrics",
          "notification",
          "object-lock",
          "ownershipControls",
          "policy",
          "policyStatus",
          "publicAccessBlock",
          "renameObject",
          "replication",
          "requestPayment",
          "restore",
          "retention",
          "select",
          "session",
          "tagging",
          "torrent",
          "uploads",
          "versioning",
          "versions",
          "website",
          "whatever");

  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("object", "content");
  }

  @Test
  void answerToAStreamComesBehindItsLastChunkAndTheConnectionServesAHundred() throws IOException {
    byte[] object = "streamed by JavaScript".getBytes(UTF_8);
    Signed request =
        wire.signer()
            .sign(
                "PUT",
                "/wire/stream?x-id=PutObject",
                AwsChunkedBody.UNSIGNED_TRAILER,
                Map.of(
                    "content-encoding", "aws-chunked",
                    "x-amz-decoded-content-length", Integer.toString(object.length),
                    "x-amz-trailer", "x-amz-checksum-crc32c"));
    byte[] body = AwsChunkedBody.unsigned(object, 8, AwsChunkedBody.crc32cTrailer(object));
    try (RawConnection connection = wire.connect()) {
      for (int round = 0; round < 100; round++) {
        connection.send(request.with("Transfer-Encoding: chunked\r\n"));
        connection.send(Integer.toHexString(body.length) + "\r\n").send(body).send("\r\n");
        // All of the object is there, and of the frame all but its last chunk.
        assertThat(round > 2 || connection.isSilent()).isTrue();
        assertThat(connection.send("0\r\n\r\n").receive().status()).isEqualTo(200);
      }
      assertThat(connection.send(wire.get("stream")).receive().body())
          .isEqualTo("streamed by JavaScript");
    }
  }

  @Test
  void refusedStreamIsReadToItsLastChunkAndTheConnectionServesAHundred() throws IOException {
    String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
    try (RawConnection connection = wire.connect()) {
      for (int round = 0; round < 100; round++) {
        connection.send(
            wire.request("PUT", wire.badlySigned("no"), "Transfer-Encoding: chunked\r\n"));
        connection.send(chunk).send(chunk);
        assertThat(round > 2 || connection.isSilent()).isTrue();
        connection.send("0\r\n\r\n");
        RawResponse refused = connection.receive();
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.closes()).isFalse();
      }
      assertThat(connection.send(wire.get("object")).receive().body()).isEqualTo("content");
    }
  }

  /** The connection of such a test would fail on a body that only its end delimits. */
  @Test
  void noAnswerOfAnUploadIsDelimitedByTheEndOfItsConnection() throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse begun = connection.send(sign("POST", "/wire/up?uploads=", "")).receive();
      String id = begun.body().replaceFirst("(?s).*<UploadId>(.*)</UploadId>.*", "$1");
      String upload = "uploadId=" + id;
      RawResponse part =
          connection.send(sign("PUT", "/wire/up?partNumber=1&" + upload, "part")).receive();
      RawResponse listed = connection.send(sign("GET", "/wire/up?" + upload, "")).receive();
      RawResponse refused = connection.send(sign("POST", "/wire/up?" + upload, "x")).receive();
      RawResponse completed =
          connection
              .send(sign("POST", "/wire/up?" + upload, complete(part.header("ETag"))))
              .receive();
      RawResponse aborted = connection.send(sign("DELETE", "/wire/up?" + upload, "")).receive();

      for (RawResponse answer : List.of(begun, part, listed, refused, completed)) {
        assertThat(answer.headers())
            .containsAnyOf(
                Map.entry("Content-Length", answer.header("Content-Length")),
                Map.entry("Transfer-Encoding", "chunked"));
        assertThat(answer.closes()).isFalse();
      }
      assertThat(completed.status()).isEqualTo(200);
      assertThat(aborted.status()).isIn(204, 404);
    }
  }

  private static String complete(String etag) {
    return "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"
        + etag
        + "</ETag></Part></CompleteMultipartUpload>";
  }

  @Test
  void unknownHeadersAndParametersOfAmazonAreIgnored() throws IOException {
    Map<String, String> unknown = new HashMap<>();
    unknown.put("x-amz-te", "append-md5");
    unknown.put("x-amz-from-the-future", "yes");
    unknown.put("x-amz-sdk-retry", "0/0/500");
    unknown.put("x-amz-user-agent", "aws-sdk-js/3");
    unknown.put("x-amz-expected-bucket-owner", "alice-id");
    unknown.put("x-amz-request-payer", "requester");
    try (RawConnection connection = wire.connect()) {
      Signed put = wire.signer().sign("PUT", "/wire/new?x-id=PutObject", UNSIGNED, unknown);
      Signed get = wire.signer().sign("GET", "/wire/new?x-id=GetObject", UNSIGNED, unknown);
      Signed list =
          wire.signer().sign("GET", "/wire?list-type=2&x-id=ListObjectsV2", UNSIGNED, unknown);

      assertThat(connection.send(put.with("Content-Length: 1\r\n")).send("x").receive().status())
          .isEqualTo(200);
      RawResponse read = connection.send(get.with("")).receive();
      assertThat(read.body()).isEqualTo("x");
      assertThat(read.headers()).doesNotContainKeys("x-amz-te", "x-amz-from-the-future");
      assertThat(connection.send(list.with("")).receive().body()).contains("<Key>new</Key>");
    }
  }

  @Test
  void keysAreSortedBeforeTheyAreEncoded() throws IOException {
    for (String key : List.of("order/foo+1/x", "order/foo/x", "order/z\uFFFD", "order/z𐀀")) {
      wire.store(key, "x");
    }
    try (RawConnection connection = wire.connect()) {
      String target = "/wire?list-type=2&encoding-type=url&delimiter=/&prefix=order/";
      String page = connection.send(wire.request("GET", target, "")).receive().body();

      assertThat(page)
          .containsSubsequence("<Prefix>order/foo%2B1/</Prefix>", "<Prefix>order/foo/</Prefix>")
          .containsSubsequence("<Key>order/z%EF%BF%BD</Key>", "<Key>order/z%F0%90%80%80</Key>");
    }
  }

  @Test
  void etagOfALargePutIsAnMd5AndQuotedEverywhere() throws IOException {
    PutObjectResponse put =
        wire.s3()
            .putObject(
                r -> r.bucket("wire").key("large"), RequestBody.fromBytes(new byte[9 << 20]));
    try (RawConnection connection = wire.connect()) {
      RawResponse head = connection.send(wire.request("HEAD", "/wire/large", "")).receive(true);
      RawResponse list =
          connection.send(wire.request("GET", "/wire?list-type=2&prefix=large", "")).receive();

      assertThat(put.eTag()).matches("\"[0-9a-f]{32}\"");
      assertThat(head.header("ETag")).isEqualTo(put.eTag());
      assertThat(list.body()).contains("<ETag>" + put.eTag().replace("\"", "&quot;") + "</ETag>");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "DELETE", "POST"})
  void noSubresourceEverFallsThroughToTheObject(String method) throws IOException {
    try (RawConnection connection = wire.connect()) {
      for (String subresource : SUBRESOURCES) {
        if (!subresource.equals("tagging") || method.equals("POST")) {
          for (String suffix : List.of("", "=", "=x")) {
            String target = "/wire/object?" + subresource + suffix;
            RawResponse answer = connection.send(sign(method, target, "spoilt")).receive();

            assertThat(answer.status()).as(method + " " + target).isNotEqualTo(204);
            assertThat(wire.contentOf("object")).as(method + " " + target).isEqualTo("content");
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "DELETE", "POST"})
  void noSubresourceEverFallsThroughToTheBucket(String method) throws IOException {
    wire.s3().createBucket(r -> r.bucket("empty"));
    try (RawConnection connection = wire.connect()) {
      for (String subresource : SUBRESOURCES) {
        for (String suffix : List.of("", "=", "=x")) {
          String none = "/none?" + subresource + suffix;
          String empty = "/empty?" + subresource + suffix;
          connection.send(sign(method, none, "")).receive();
          connection.send(sign(method, empty, "")).receive();

          assertThat(wire.s3().listBuckets().buckets())
              .as(method + " ?" + subresource + suffix)
              .extracting(bucket -> bucket.name())
              .containsExactly("empty", "wire");
        }
      }
    }
    wire.s3().deleteBucket(r -> r.bucket("empty"));
  }

  @Test
  void compressedContentIsGivenBackByteForByte() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("what was packed".repeat(1000).getBytes(UTF_8));
    }
    String bytes = packed.toString(ISO_8859_1);
    wire.s3()
        .putObject(
            r -> r.bucket("wire").key("packed.gz").contentEncoding("gzip"),
            RequestBody.fromBytes(packed.toByteArray()));
    try (RawConnection connection = wire.connect()) {
      for (String accepted : List.of("", "gzip", "identity", "gzip,br,zstd", "*;q=0")) {
        RawResponse read =
            connection
                .send(
                    wire.request("GET", "/wire/packed.gz", "Accept-Encoding: " + accepted + "\r\n"))
                .receive();

        assertThat(read.body()).isEqualTo(bytes);
        assertThat(read.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(read.headers()).doesNotContainKey("Transfer-Encoding");
      }
    }
  }

  static List<String> longKeys() {
    return List.of("k".repeat(1024), "é".repeat(512), "𐀀".repeat(256), "%".repeat(1024));
  }

  @ParameterizedTest
  @MethodSource("longKeys")
  void longestKeysAreListedPageByPage(String longest) {
    wire.s3().createBucket(r -> r.bucket("long"));
    String shorter = longest.substring(0, longest.length() - 2);
    for (String key : List.of(longest, shorter)) {
      wire.s3().putObject(r -> r.bucket("long").key(key), RequestBody.fromString("x"));
    }
    List<String> keys = new ArrayList<>();
    wire.s3()
        .listObjectsV2Paginator(r -> r.bucket("long").maxKeys(1))
        .contents()
        .forEach(object -> keys.add(object.key()));

    assertThat(keys).containsExactly(shorter, longest);
    keys.forEach(key -> wire.s3().deleteObject(r -> r.bucket("long").key(key)));
    wire.s3().deleteBucket(r -> r.bucket("long"));
  }

  @Test
  void thousandKeysAreDeletedAtOnceAndOneMoreIsRefused() throws IOException {
    wire.store("gone/999", "x");
    StringBuilder objects = new StringBuilder();
    for (int number = 0; number < 1000; number++) {
      objects.append("<Object><Key>gone/").append(number).append("</Key></Object>");
    }
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection.send(delete(objects + "<Object><Key>k</Key></Object>")).receive();
      assertThat(refused.body()).contains("<Code>MalformedXML</Code>");
      assertThat(wire.contentOf("gone/999")).isEqualTo("x");

      RawResponse deleted = connection.send(delete(objects.toString())).receive();
      assertThat(deleted.status()).isEqualTo(200);
      assertThat(deleted.body().split("<Deleted>", -1)).hasSize(1001);
      assertThat(wire.contentOf("gone/999")).isEqualTo("404");
    }
  }

  private static String delete(String objects) {
    String document = "<Delete>" + objects + "</Delete>";
    return wire.signer()
            .sign(
                "POST",
                "/wire?delete=",
                UNSIGNED,
                Map.of("x-amz-checksum-crc32", WireFixture.crc32(document)))
            .with("Content-Length: " + document.length() + "\r\n")
        + document;
  }

  private static String sign(String method, String target, String body) {
    String canonical = target.contains("?") && !target.contains("=") ? target + "=" : target;
    return wire.signer()
            .sign(method, target, canonical, UNSIGNED, Map.of())
            .with("Content-Length: " + body.length() + "\r\n")
        + body;
  }
}
