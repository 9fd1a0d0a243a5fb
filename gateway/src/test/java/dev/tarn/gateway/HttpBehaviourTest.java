package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** What goes over the wire, seen by hand. */
class HttpBehaviourTest {
  private static final String BUCKET = "wire";

  private static GatewayFixture gateway;
  private static S3Client s3;
  private static S3Presigner presigner;

  @BeforeAll
  static void start() {
    gateway = new GatewayFixture();
    gateway.createPublicBucket(BUCKET);
    s3 = gateway.client(GatewayFixture.ALICE);
    presigner = gateway.presigner(GatewayFixture.ALICE);
    s3.putObject(r -> r.bucket(BUCKET).key("object"), RequestBody.fromString("content"));
  }

  @AfterAll
  static void stop() {
    presigner.close();
    s3.close();
    gateway.close();
  }

  @Test
  void answerWithoutContentHasNoLength() throws IOException {
    HandSigner signer = new HandSigner("127.0.0.1:" + gateway.port());
    try (RawConnection connection = connect()) {
      RawResponse deleted =
          connection
              .send(signer.sign("DELETE", "/wire/gone", "UNSIGNED-PAYLOAD", Map.of()).with(""))
              .receive();

      assertThat(deleted.status()).isEqualTo(204);
      assertThat(deleted.headers()).doesNotContainKeys("Content-Length", "Transfer-Encoding");
      assertThat(connection.send(get("/wire/object")).receive().body()).isEqualTo("content");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'GET / HTTP/1.1||', must have one Host header",
    "'GET / HTTP/1.1|Host: a|Host: b||', must have one Host header",
    "'PUT /b/k HTTP/1.1|Host: a|Content-Length: -5||', not valid HTTP/1.1: ",
    "'GET /b/k HTTP/1.1|Host: a|B d||', not valid HTTP/1.1: ",
  })
  void headThatIsNotAsItMustBeIsAnsweredWithTheReason(String head, String reason)
      throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse refused = connection.send(head.replace("|", "\r\n")).receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains(reason).doesNotContain(reason + "<");
      assertThat(refused.closes()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'zz|hello|0||'",
    "'ffffffffffffffffffff|hello'",
    "'-5|hello|0||'",
    "'5|hello|zz|'",
    "'5|helloXX0||'",
  })
  void bodyWhoseHttpChunksAreBrokenIsAnsweredAndLeavesNoObject(String body) throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse refused =
          connection
              .send(request("PUT", presignedPut("broken"), "Transfer-Encoding: chunked\r\n"))
              .send(body.replace("|", "\r\n"))
              .receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body())
          .contains("<Code>InvalidRequest</Code>")
          .contains("The chunks of the body are not valid HTTP/1.1: ");
      assertThat(refused.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
    try (RawConnection connection = connect()) {
      assertThat(connection.send(get("/wire/broken")).receive().status()).isEqualTo(404);
    }
  }

  @Test
  void refusedRequestWhoseChunksAreBrokenIsAnsweredWithTheRefusal() throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse refused =
          connection
              .send(request("PUT", badSignature("/wire/refused"), "Transfer-Encoding: chunked\r\n"))
              .send("5\r\nhello\r\nzz\r\n")
              .receive();

      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @Test
  void documentWhoseChunksAreBrokenIsAnswered() throws IOException {
    HandSigner signer = new HandSigner(host());
    String head =
        signer
            .sign("PUT", "/wire/object?tagging=", "UNSIGNED-PAYLOAD", Map.of())
            .with("Transfer-Encoding: chunked\r\n");
    try (RawConnection connection = connect()) {
      RawResponse refused = connection.send(head).send("5\r\nhello\r\nzz\r\n").receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("The chunks of the body are not valid HTTP/1.1: ");
      assertThat(refused.closes()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: gzip\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: identity\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n",
        "Transfer-Encoding:\r\n"
      })
  void transferEncodingsOtherThanChunkedAreNotImplemented(String headers) throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse refused =
          connection
              .send(request("PUT", presignedPut("encoded"), headers))
              .send("5\r\nhello\r\n0\r\n\r\n")
              .receive();

      assertThat(refused.status()).isEqualTo(501);
      assertThat(refused.body()).contains("<Code>NotImplemented</Code>");
      assertThat(refused.closes()).isTrue();
    }
    try (RawConnection connection = connect()) {
      assertThat(connection.send(get("/wire/encoded")).receive().status()).isEqualTo(404);
    }
  }

  @Test
  void everyAnswerNamesItsRequest() throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse first = connection.send(get("/wire/object")).receive();
      RawResponse second = connection.send(get("/wire/missing")).receive();

      assertThat(first.status()).isEqualTo(200);
      assertThat(first.body()).isEqualTo("content");
      assertThat(first.header("x-amz-request-id")).hasSize(16);
      assertThat(first.header("Date")).endsWith("GMT");
      assertThat(first.header("Server")).isEqualTo("Tarn");
      assertThat(second.status()).isEqualTo(404);
      assertThat(second.header("Content-Type")).isEqualTo("application/xml");
      assertThat(second.body())
          .contains("<Code>NoSuchKey</Code>")
          .contains("<Key>missing</Key>")
          .contains("<Resource>/wire/missing</Resource>")
          .contains("<RequestId>" + second.header("x-amz-request-id") + "</RequestId>");
    }
  }

  @Test
  void headOfAMissingKeyHasNoBodyAndTheConnectionGoesOn() throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse missing = connection.send(request("HEAD", "/wire/missing", "")).receive(true);
      RawResponse found = connection.send(request("HEAD", "/wire/object", "")).receive(true);

      assertThat(missing.status()).isEqualTo(404);
      assertThat(found.status()).isEqualTo(200);
      assertThat(found.header("Content-Length")).isEqualTo("7");
    }
  }

  @Test
  void badSignatureIsAnsweredBeforeAnyContinue() throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse refused =
          connection
              .send(
                  request(
                      "PUT",
                      badSignature("/wire/refused"),
                      "Expect: 100-continue\r\nContent-Length: 1000\r\n"))
              .receive();

      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.body()).contains("<Code>");
      assertThat(refused.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @Test
  void goodSignatureIsToldToContinue() throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse leave =
          connection
              .send(
                  request(
                      "PUT",
                      presignedPut("continued"),
                      "Expect: 100-continue\r\nContent-Length: 4\r\n"))
              .receive();
      RawResponse stored = connection.send("body").receive();

      assertThat(leave.status()).isEqualTo(100);
      assertThat(stored.status()).isEqualTo(200);
    }
  }

  /**
   * botocore before 2026 takes an answer without leave for that of the next PUT too, and then waits
   * a minute: after each empty file of a tree.
   */
  @Test
  void emptyPutThatAsksForLeaveIsGivenItAndAnsweredAtOnce() throws IOException {
    try (RawConnection connection = connect()) {
      connection.send(
          request("PUT", presignedPut("empty"), "Expect: 100-continue\r\nContent-Length: 0\r\n"));

      assertThat(connection.receive().status()).isEqualTo(100);
      RawResponse stored = connection.receive();
      assertThat(stored.status()).isEqualTo(200);
      assertThat(stored.header("ETag")).isEqualTo("\"d41d8cd98f00b204e9800998ecf8427e\"");
      assertThat(connection.send(get("/wire/object")).receive().status()).isEqualTo(200);
    }
  }

  @Test
  void refusedBodyIsReadToItsEndAndTheConnectionIsUsedAgain() throws IOException {
    byte[] body = new byte[300_000];
    try (RawConnection connection = connect()) {
      for (int round = 0; round < 100; round++) {
        RawResponse refused =
            connection
                .send(
                    request(
                        "PUT",
                        badSignature("/wire/refused"),
                        "Content-Length: " + body.length + "\r\n"))
                .send(body)
                .receive();
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.closes()).isFalse();
      }
      assertThat(connection.send(get("/wire/object")).receive().status()).isEqualTo(200);
    }
  }

  @Test
  void chunkedBodyIsReadToItsLastChunkBeforeTheAnswer() throws IOException {
    try (RawConnection connection = connect()) {
      connection.send(
          request("PUT", badSignature("/wire/refused"), "Transfer-Encoding: chunked\r\n"));
      connection.send("5\r\nhello\r\n");
      connection.send("5\r\nworld\r\n0\r\n\r\n");

      assertThat(connection.receive().status()).isEqualTo(403);
      assertThat(connection.send(get("/wire/object")).receive().status()).isEqualTo(200);
    }
  }

  @Test
  void bodyThatBreaksOffLeavesNoObject() throws IOException {
    try (RawConnection connection = connect()) {
      connection.send(request("PUT", presignedPut("broken-off"), "Content-Length: 1000\r\n"));
      connection.send("only this");
    }
    try (RawConnection connection = connect()) {
      assertThat(connection.send(get("/wire/broken-off")).receive().status()).isEqualTo(404);
    }
  }

  @Test
  void putWithoutALengthIsRefused() throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse refused = connection.send(request("PUT", presignedPut("x"), "")).receive();

      assertThat(refused.status()).isEqualTo(411);
      assertThat(refused.body()).contains("MissingContentLength");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE /wire?website",
        "DELETE /wire?logging",
        "DELETE /wire/object?acl",
        "DELETE /wire/object?retention",
        "DELETE /wire/object?legal-hold=",
        "DELETE /wire?object-lock",
        "PUT /wire?accelerate",
        "PUT /wire/object?something",
        "DELETE /wire/object?something=else",
        "GET /wire/object?torrent",
        "GET /wire?analytics",
        "POST /wire/object?restore",
        "POST /wire/object?select&select-type=2",
        "GET /wire?something"
      })
  void unknownSubresourceIsRefusedAndNeverFallsThrough(String line) throws IOException {
    String[] words = line.split(" ", 2);
    try (RawConnection connection = connect()) {
      RawResponse refused =
          connection.send(request(words[0], words[1], "Content-Length: 0\r\n")).receive();

      assertThat(refused.status()).isEqualTo(501);
      assertThat(refused.body()).contains("<Code>NotImplemented</Code>");
      assertThat(connection.send(get("/wire/object")).receive().body()).isEqualTo("content");
    }
  }

  @Test
  void keyOf1024BytesPercentEncodedFitsTheRequestLine() throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse missing = connection.send(get("/wire/" + "%C3%A9".repeat(512))).receive();
      RawResponse tooLong = connection.send(get("/wire/" + "%C3%A9".repeat(513))).receive();

      assertThat(missing.status()).isEqualTo(404);
      assertThat(tooLong.status()).isEqualTo(400);
      assertThat(tooLong.body()).contains("KeyTooLongError");
    }
  }

  @Test
  void requestLineBeyondTheBoundIsRefusedByName() throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse refused = connection.send(get("/wire/" + "x".repeat(20_000))).receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("RequestHeaderSectionTooLarge");
    }
  }

  @Test
  void anonymousMayReadButNotWriteNorSeeUploads() throws IOException {
    try (RawConnection connection = connect()) {
      assertThat(connection.send(get("/wire?list-type=2")).receive().status()).isEqualTo(200);
      assertThat(connection.send(get("/wire?uploads")).receive().status()).isEqualTo(403);
      assertThat(
              connection
                  .send(request("PUT", "/wire/new", "Content-Length: 1\r\n") + "x")
                  .receive()
                  .status())
          .isEqualTo(403);
      assertThat(connection.send(request("DELETE", "/wire/object", "")).receive().status())
          .isEqualTo(403);
      assertThat(connection.send(get("/")).receive().status()).isEqualTo(403);
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws IOException {
    try (RawConnection connection = connect()) {
      connection.send(get("/wire/object") + get("/wire/missing") + get("/wire/object"));

      assertThat(connection.receive().status()).isEqualTo(200);
      assertThat(connection.receive().status()).isEqualTo(404);
      assertThat(connection.receive().status()).isEqualTo(200);
    }
  }

  private static RawConnection connect() throws IOException {
    return new RawConnection(gateway.port());
  }

  private static String get(String target) {
    return request("GET", target, "");
  }

  private static String request(String method, String target, String headers) {
    return method + " " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + headers + "\r\n";
  }

  private static String host() {
    return "127.0.0.1:" + gateway.port();
  }

  private static String presignedPut(String key) {
    return presigner
        .presignPutObject(presign ->
            presign
                .signatureDuration(Duration.ofMinutes(5))
                .putObjectRequest(put -> put.bucket(BUCKET).key(key)))
        .url()
        .getFile();
  }

  private static String badSignature(String path) {
    String good = presignedPut("other");
    return path + good.substring(good.indexOf('?'));
  }
}
