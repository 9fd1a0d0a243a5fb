package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks of S3 inside chunks of HTTP, which know nothing of each other. */
class ChunkBoundariesTest {
  private static final byte[] OBJECT = "twenty bytes of text".getBytes(US_ASCII);
  private static final String ETAG = "\"" + WireFixture.md5("twenty bytes of text") + "\"";
  private static final int CHUNK_BYTES = 7;

  @AutoClose private static WireFixture wire;
  private static HandSigner signer;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    signer = wire.signer();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        AwsChunkedBody.UNSIGNED_TRAILER,
        AwsChunkedBody.SIGNED,
        AwsChunkedBody.SIGNED_TRAILER
      })
  void httpMayCutTheBodyAnywhere(String mode) throws IOException {
    Signed request = sign(mode);
    byte[] body = body(mode, request);
    try (RawConnection connection = wire.connect()) {
      for (int cut = 1; cut < body.length; cut++) {
        connection.send(request.with("Transfer-Encoding: chunked\r\n"));
        sendChunk(connection, Arrays.copyOf(body, cut));
        sendChunk(connection, Arrays.copyOfRange(body, cut, body.length));

        assertStored(connection.send("0\r\n\r\n").receive(), cut);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        AwsChunkedBody.UNSIGNED_TRAILER,
        AwsChunkedBody.SIGNED,
        AwsChunkedBody.SIGNED_TRAILER
      })
  void segmentsOfTcpMayCutTheBodyAnywhere(String mode) throws IOException {
    Signed request = sign(mode);
    byte[] body = body(mode, request);
    try (RawConnection connection = wire.connect()) {
      for (int cut = 1; cut < body.length; cut++) {
        connection.send(request.with("Content-Length: " + body.length + "\r\n"));
        connection.send(Arrays.copyOf(body, cut));

        assertStored(connection.send(Arrays.copyOfRange(body, cut, body.length)).receive(), cut);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        AwsChunkedBody.UNSIGNED_TRAILER,
        AwsChunkedBody.SIGNED,
        AwsChunkedBody.SIGNED_TRAILER
      })
  void bodyThatEndsAnywhereBeforeItsLastLineLeavesNoObject(String mode) throws IOException {
    Signed request = sign(mode);
    byte[] body = body(mode, request);
    wire.s3().deleteObject(r -> r.bucket("wire").key("object"));
    // Two of the line ends behind the trailer may be missing, as some senders leave them out.
    int whole = body.length - (mode.equals(AwsChunkedBody.SIGNED) ? 2 : 4);
    try (RawConnection connection = wire.connect()) {
      for (int end = 1; end < whole; end++) {
        connection.send(request.with("Content-Length: " + end + "\r\n"));
        RawResponse refused = connection.send(Arrays.copyOf(body, end)).receive();

        assertThat(refused.status()).as("body of %d bytes", end).isBetween(400, 403);
        assertThat(refused.closes()).isFalse();
      }
    }
    assertThat(wire.contentOf("object")).isEqualTo("404");
  }

  private static Signed sign(String mode) {
    Map<String, String> headers = new HashMap<>();
    headers.put("x-amz-decoded-content-length", Integer.toString(OBJECT.length));
    if (!mode.equals(AwsChunkedBody.SIGNED)) {
      headers.put("x-amz-trailer", "x-amz-checksum-crc32c");
    }
    return signer.sign("PUT", "/wire/object", mode, headers);
  }

  private static byte[] body(String mode, Signed request) {
    String trailer = AwsChunkedBody.crc32cTrailer(OBJECT);
    return switch (mode) {
      case AwsChunkedBody.UNSIGNED_TRAILER -> AwsChunkedBody.unsigned(OBJECT, CHUNK_BYTES, trailer);
      case AwsChunkedBody.SIGNED -> AwsChunkedBody.signed(signer, request, OBJECT, CHUNK_BYTES);
      default -> AwsChunkedBody.signed(signer, request, OBJECT, CHUNK_BYTES, trailer);
    };
  }

  private static void sendChunk(RawConnection connection, byte[] bytes) throws IOException {
    connection.send(Integer.toHexString(bytes.length) + "\r\n").send(bytes).send("\r\n");
  }

  private static void assertStored(RawResponse stored, int cut) {
    assertThat(stored.status()).as("cut at %d: %s", cut, stored.body()).isEqualTo(200);
    assertThat(stored.header("ETag")).isEqualTo(ETAG);
  }
}
