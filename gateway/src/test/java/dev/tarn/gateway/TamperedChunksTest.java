package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies whose chunks are signed cannot be changed, cut, ordered anew or sent elsewhere. */
class TamperedChunksTest {
  private static final byte[] OBJECT = "0123456789abcdefghij".getBytes(ISO_8859_1);
  private static final int CHUNK_BYTES = 8;

  @AutoClose private static WireFixture wire;
  private static HandSigner signer;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    signer = wire.signer();
  }

  @AfterEach
  void nothingWasWritten() {
    assertThat(wire.keys()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {AwsChunkedBody.SIGNED, AwsChunkedBody.SIGNED_TRAILER})
  void noByteOfTheBodyCanBeChanged(String mode) throws IOException {
    Signed request = sign("/wire/key", mode);
    byte[] body = body(request, mode);
    try (RawConnection connection = wire.connect()) {
      for (int place = 0; place < body.length - 4; place++) {
        byte[] changed = body.clone();
        changed[place] ^= 1;
        connection.send(request.with("Content-Length: " + body.length + "\r\n"));
        RawResponse refused = connection.send(changed).receive();

        assertThat(refused.status()).as("byte %d of %s", place, text(body)).isBetween(400, 403);
      }
    }
    assertIsGood(request, body);
  }

  @Test
  void chunksCannotBeOrderedAnewLeftOutOrRepeated() throws IOException {
    Signed request = sign("/wire/key", AwsChunkedBody.SIGNED);
    String body = text(body(request, AwsChunkedBody.SIGNED));
    int second = body.indexOf("8;", 2);
    int third = body.indexOf("\r\n4;") + 2;
    int last = body.indexOf("\r\n0;") + 2;
    String one = body.substring(0, second);
    String two = body.substring(second, third);
    String three = body.substring(third, last);
    String end = body.substring(last);

    assertRefused(request, two + one + three + end);
    assertRefused(request, one + one + three + end);
    assertRefused(request, two + two + three + end);
    assertRefused(request, one + two + end);
    assertRefused(request, one + three + end);
    assertRefused(request, one + two + three + three + end);
    assertRefused(request, one + two + three);
    assertRefused(request, one + two + end + three);
    assertIsGood(request, body.getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @CsvSource({
    "Length, x-amz-decoded-content-length: 20, x-amz-decoded-content-length: 16",
    "Mode, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    "Mode, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, UNSIGNED-PAYLOAD",
    "Key, /wire/key, /wire/other",
  })
  void headOfTheRequestIsSignedAsAnyOther(String what, String part, String instead)
      throws IOException {
    Signed request = sign("/wire/key", AwsChunkedBody.SIGNED);
    byte[] body = body(request, AwsChunkedBody.SIGNED);
    String head = request.with("Content-Length: " + body.length + "\r\n");
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(head.replace(part, instead)).send(body).receive();

      assertThat(refused.body()).as(what).contains("<Code>SignatureDoesNotMatch</Code>");
    }
  }

  @Test
  void chunksOfAnotherRequestAreRefused() throws IOException {
    Signed request = sign("/wire/key", AwsChunkedBody.SIGNED);
    Signed another = sign("/wire/another", AwsChunkedBody.SIGNED);
    HandSigner earlier =
        new HandSigner(wire.host(), GatewayFixture.ALICE, Instant.now().minusSeconds(60));
    HandSigner bob = new HandSigner(wire.host(), GatewayFixture.BOB, Instant.now());

    assertRefused(request, text(body(another, AwsChunkedBody.SIGNED)));
    assertRefused(request, text(AwsChunkedBody.signed(earlier, request, OBJECT, CHUNK_BYTES)));
    assertRefused(request, text(AwsChunkedBody.signed(bob, request, OBJECT, CHUNK_BYTES)));
  }

  @Test
  void trailerOfAnotherObjectIsRefused() throws IOException {
    Signed request = sign("/wire/key", AwsChunkedBody.SIGNED_TRAILER);
    byte[] good = body(request, AwsChunkedBody.SIGNED_TRAILER);
    byte[] other = Arrays.copyOf(OBJECT, OBJECT.length - 1);
    byte[] wrongTrailer =
        AwsChunkedBody.signed(
            signer, request, OBJECT, CHUNK_BYTES, AwsChunkedBody.crc32cTrailer(other));

    assertThat(codeOf(request, text(wrongTrailer))).isEqualTo("BadDigest");
    assertRefused(
        request,
        text(good)
            .replace(AwsChunkedBody.crc32cTrailer(OBJECT), AwsChunkedBody.crc32cTrailer(other)));
    assertThat(codeOf(request, text(good).replaceFirst("x-amz-trailer-signature:.*\r\n", "")))
        .isEqualTo("SignatureDoesNotMatch");
    assertThat(codeOf(request, text(good).replaceFirst("x-amz-checksum-crc32c:.*\r\n", "")))
        .isIn("SignatureDoesNotMatch", "MalformedTrailerError");
    assertIsGood(request, good);
  }

  @Test
  void unsignedChunksDoNotServeWhereSignedOnesWerePromised() throws IOException {
    Signed request = sign("/wire/key", AwsChunkedBody.SIGNED_TRAILER);
    byte[] unsigned =
        AwsChunkedBody.unsigned(OBJECT, CHUNK_BYTES, AwsChunkedBody.crc32cTrailer(OBJECT));

    assertThat(codeOf(request, text(unsigned))).isEqualTo("SignatureDoesNotMatch");
  }

  private static Signed sign(String target, String mode) {
    Map<String, String> headers = new HashMap<>();
    headers.put("x-amz-decoded-content-length", Integer.toString(OBJECT.length));
    if (mode.equals(AwsChunkedBody.SIGNED_TRAILER)) {
      headers.put("x-amz-trailer", "x-amz-checksum-crc32c");
    }
    return signer.sign("PUT", target, mode, headers);
  }

  private static byte[] body(Signed request, String mode) {
    return mode.equals(AwsChunkedBody.SIGNED)
        ? AwsChunkedBody.signed(signer, request, OBJECT, CHUNK_BYTES)
        : AwsChunkedBody.signed(
            signer, request, OBJECT, CHUNK_BYTES, AwsChunkedBody.crc32cTrailer(OBJECT));
  }

  private static void assertRefused(Signed request, String body) throws IOException {
    assertThat(codeOf(request, body)).isIn("SignatureDoesNotMatch", "IncompleteBody");
    assertThat(wire.keys()).isEmpty();
  }

  private static String codeOf(Signed request, String body) throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection
              .send(request.with("Content-Length: " + body.length() + "\r\n"))
              .send(body)
              .receive();
      assertThat(refused.status()).isBetween(400, 403);
      return refused.body().replaceFirst("(?s).*<Code>(\\w+)</Code>.*", "$1");
    }
  }

  private static void assertIsGood(Signed request, byte[] body) throws IOException {
    try (RawConnection connection = wire.connect()) {
      connection.send(request.with("Content-Length: " + body.length + "\r\n"));
      assertThat(connection.send(body).receive().status()).isEqualTo(200);
    }
    assertThat(wire.contentOf("key")).isEqualTo(text(OBJECT));
    wire.s3().deleteObject(r -> r.bucket("wire").key("key"));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }
}
