package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A refused request costs its client no connection, with a body or without. */
class KeepAliveAfterErrorsTest {
  private static final String BODY = "x".repeat(70_000);
  private static final String NO_HASH = "0".repeat(64);

  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("object", "content");
  }

  /**
   * A request that is refused.
   *
   * @param headers {@code name: value}, and signed; none if empty
   * @param mode of its body
   */
  record Mistake(
      String method, String target, String headers, String mode, int status, String code) {
    Mistake(String method, String target, String headers, int status, String code) {
      this(method, target, headers, WireFixture.UNSIGNED, status, code);
    }

    boolean hasBody() {
      return method.equals("PUT") || method.equals("POST");
    }

    String head(String length) {
      Map<String, String> signed =
          headers.isEmpty()
              ? Map.of()
              : Map.of(headers.split(": ", 2)[0], headers.split(": ", 2)[1]);
      Signed request = wire.signer().sign(method, target, mode, signed);
      return request.with(hasBody() ? length : "");
    }
  }

  static List<Mistake> mistakes() {
    String md5 = "content-md5: AAAAAAAAAAAAAAAAAAAAAA==";
    List<Mistake> mistakes = new ArrayList<>(writes());
    mistakes.addAll(
        List.of(
            new Mistake("PUT", "/wire/k", md5, 400, "BadDigest"),
            new Mistake("PUT", "/wire/k", "content-md5: AAAA", 400, "InvalidDigest"),
            new Mistake("PUT", "/wire/k", "", NO_HASH, 400, "XAmzContentSHA256Mismatch"),
            new Mistake("PUT", "/wire/k", "", "STREAMING-X", 501, "NotImplemented"),
            new Mistake("PUT", "/wire/k", "", "nonsense", 400, "InvalidArgument"),
            new Mistake(
                "PUT",
                "/wire/k",
                "x-amz-decoded-content-length: 5",
                "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                400,
                "InvalidRequest"),
            new Mistake(
                "PUT",
                "/wire/k",
                "",
                "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                411,
                "MissingContentLength"),
            new Mistake("GET", "/wire/none", "", 404, "NoSuchKey"),
            new Mistake("GET", "/wire/object", "range: bytes=7-", 416, "InvalidRange"),
            new Mistake("GET", "/wire/object", "if-match: x", 412, "PreconditionFailed"),
            new Mistake("GET", "/wire/object?partNumber=2", "", 416, "InvalidPartNumber"),
            new Mistake("GET", "/wire?list-type=2&max-keys=-1", "", 400, "InvalidArgument"),
            new Mistake("GET", "/wire?list-type=3", "", 400, "InvalidArgument"),
            new Mistake("GET", "/wire?policy=", "", 404, "NoSuchBucketPolicy"),
            new Mistake("GET", "/wire?encoding-type=x", "", 400, "InvalidArgument"),
            new Mistake(
                "GET", "/wire?continuation-token=x&list-type=2", "", 400, "InvalidArgument"),
            new Mistake("GET", "/wire/object?versionId=x", "", 400, "InvalidArgument"),
            new Mistake("GET", "/wire/object?attributes=", "", 400, "InvalidArgument"),
            new Mistake("DELETE", "/wire/object", "if-match: x", 412, "PreconditionFailed"),
            new Mistake("OPTIONS", "/wire/object", "", 400, "BadRequest"),
            new Mistake("GET", "/wire/object?uploadId=none", "", 404, "NoSuchUpload"),
            new Mistake("DELETE", "/wire", "", 409, "BucketNotEmpty"),
            new Mistake("DELETE", "/nobodys", "", 404, "NoSuchBucket"),
            new Mistake("DELETE", "/wire/object?uploadId=none", "", 404, "NoSuchUpload"),
            new Mistake("DELETE", "/", "", 405, "MethodNotAllowed")));
    return mistakes;
  }

  private static List<Mistake> writes() {
    String tags = "x-amz-tagging: a=1&a=2";
    return List.of(
        new Mistake("PUT", "/wire/k", "x-amz-checksum-md4: AAAA", 400, "InvalidRequest"),
        new Mistake("PUT", "/wire/k", "x-amz-checksum-crc32: AAAAAA==", 400, "BadDigest"),
        new Mistake("PUT", "/wire/k", tags, 400, "InvalidArgument"),
        new Mistake("PUT", "/wire/k", "x-amz-storage-class: WARM", 400, "InvalidStorageClass"),
        new Mistake("PUT", "/wire/k", "x-amz-meta-a: " + "x".repeat(2048), 400, "MetadataTooLarge"),
        new Mistake("PUT", "/wire/" + "k".repeat(1025), "", 400, "KeyTooLongError"),
        new Mistake("PUT", "/wire/%C0%AF", "", 400, "InvalidURI"),
        new Mistake("PUT", "/wire/object", "if-none-match: *", 412, "PreconditionFailed"),
        new Mistake("PUT", "/wire/none", "if-match: x", 404, "NoSuchKey"),
        new Mistake("PUT", "/wire/k?partNumber=1&uploadId=none", "", 404, "NoSuchUpload"),
        new Mistake("PUT", "/wire/k?partNumber=0&uploadId=none", "", 400, "InvalidArgument"),
        new Mistake("PUT", "/wire/k?torrent=", "", 501, "NotImplemented"),
        new Mistake("PUT", "/wire/object?tagging=", "", 400, "MalformedXML"),
        new Mistake("PUT", "/wire?tagging=", "", 400, "MalformedXML"),
        new Mistake("PUT", "/wire?cors=", "", 400, "MalformedXML"),
        new Mistake("PUT", "/wire?lifecycle=", "", 400, "MalformedXML"),
        new Mistake("PUT", "/wire?versioning=", "", 400, "MalformedXML"),
        new Mistake("PUT", "/wire?policy=", "", 400, "MalformedPolicy"),
        new Mistake("PUT", "/wire?acl=", "", 400, "MalformedACLError"),
        new Mistake("PUT", "/wire", "", 400, "MalformedXML"),
        new Mistake("PUT", "/Wrong_Name", "", 400, "InvalidBucketName"),
        new Mistake("PUT", "/nobodys/k", "", 404, "NoSuchBucket"),
        new Mistake("PUT", "/", "", 405, "MethodNotAllowed"),
        new Mistake("PUT", "/wire/k", "x-amz-copy-source: none", 400, "InvalidArgument"),
        new Mistake("PUT", "/wire/k", "x-amz-copy-source: /wire/none", 404, "NoSuchKey"),
        new Mistake("POST", "/wire?delete=", md5OfBody(), 400, "MalformedXML"),
        new Mistake("POST", "/wire?delete=", "", 400, "InvalidRequest"),
        new Mistake("POST", "/wire/k?uploadId=none", "", 400, "MalformedXML"));
  }

  private static String md5OfBody() {
    return "x-amz-checksum-crc32: " + WireFixture.crc32(BODY);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void connectionGoesOnAfterARefusedRequest(Mistake mistake) throws IOException {
    try (RawConnection connection = wire.connect()) {
      for (int round = 0; round < 2; round++) {
        connection.send(mistake.head("Content-Length: " + BODY.length() + "\r\n"));
        assertRefused(mistake, connection.send(mistake.hasBody() ? BODY : "").receive());
        connection.send(mistake.head("Transfer-Encoding: chunked\r\n"));
        assertRefused(mistake, connection.send(mistake.hasBody() ? chunks() : "").receive());
      }
      assertThat(connection.send(wire.get("object")).receive().body()).isEqualTo("content");
    }
    assertThat(wire.keys()).containsExactly("object");
  }

  private static String chunks() {
    return Integer.toHexString(BODY.length()) + "\r\n" + BODY + "\r\n0\r\n\r\n";
  }

  private static void assertRefused(Mistake mistake, RawResponse refused) {
    assertThat(refused.body()).contains("<Code>" + mistake.code() + "</Code>");
    assertThat(refused.status()).isEqualTo(mistake.status());
    assertThat(refused.closes()).isFalse();
  }

  @Test
  void oneConnectionServesEveryMistakeOneBehindTheOther() throws IOException {
    try (RawConnection connection = wire.connect()) {
      for (Mistake mistake : mistakes()) {
        connection.send(mistake.head("Content-Length: " + BODY.length() + "\r\n"));
        assertRefused(mistake, connection.send(mistake.hasBody() ? BODY : "").receive());
      }
      assertThat(connection.send(wire.get("object")).receive().body()).isEqualTo("content");
    }
  }

  @Test
  void connectionGoesOnAfterEveryKindOfRefusedSignature() throws IOException {
    String length = "Content-Length: " + BODY.length() + "\r\n";
    String good = wire.put("k").with(length);
    List<String> heads =
        List.of(
            wire.request("PUT", wire.badlySigned("k"), length),
            wire.request("PUT", "/wire/k", length),
            wire.request("PUT", "/wire/k", "Authorization: Basic x\r\n" + length),
            good.replace("Signature=", "Signature=0"),
            good.replace("Credential=", "Credential=NOBODY"),
            good.replace("/s3/aws4_request", "/ec2/aws4_request"),
            good.replace("us-east-1", "eu-west-1"),
            good.replaceFirst("x-amz-date: \\d{8}", "x-amz-date: 19990101"));
    try (RawConnection connection = wire.connect()) {
      for (String head : heads) {
        RawResponse refused = connection.send(head).send(BODY).receive();

        assertThat(refused.status()).isIn(400, 403);
        assertThat(refused.closes()).isFalse();
      }
      assertThat(connection.send(wire.get("object")).receive().body()).isEqualTo("content");
    }
  }
}
