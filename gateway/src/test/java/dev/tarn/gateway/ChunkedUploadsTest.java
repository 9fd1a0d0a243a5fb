package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

/** Uploads in the chunks of aws-chunked, as they go over the wire. */
class ChunkedUploadsTest {
  private static final String BUCKET = "chunked";
  private static final String UNSIGNED = AwsChunkedBody.UNSIGNED_TRAILER;
  private static final String SIGNED = AwsChunkedBody.SIGNED_TRAILER;
  private static final int CHUNK = 65_536;
  private static final byte[] OBJECT = new byte[300_000];

  private static GatewayFixture gateway;
  private static S3Client s3;
  private static HandSigner signer;

  @BeforeAll
  static void start() {
    new Random(3).nextBytes(OBJECT);
    gateway = new GatewayFixture();
    s3 = gateway.client(GatewayFixture.ALICE);
    s3.createBucket(r -> r.bucket(BUCKET));
    signer = new HandSigner("127.0.0.1:" + gateway.port());
  }

  @AfterAll
  static void stop() {
    s3.close();
    gateway.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8191, 400_000})
  void unsignedChunksWithoutContentLengthAreStoredHoweverHttpCutsThem(int pieceBytes)
      throws IOException {
    int length = pieceBytes < 100 ? 500 : OBJECT.length;
    byte[] object = Arrays.copyOf(OBJECT, length);
    Signed request = signer.sign("PUT", "/chunked/unsigned", UNSIGNED, headers(length));
    byte[] body = AwsChunkedBody.unsigned(object, CHUNK, AwsChunkedBody.crc32cTrailer(object));
    try (RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(request.with("Transfer-Encoding: chunked\r\n"));
      for (int start = 0; start < body.length; start += pieceBytes) {
        int piece = Math.min(pieceBytes, body.length - start);
        connection.send(Integer.toHexString(piece) + "\r\n");
        connection.send(Arrays.copyOfRange(body, start, start + piece)).send("\r\n");
      }
      RawResponse stored = connection.send("0\r\n\r\n").receive();

      assertThat(stored.status()).isEqualTo(200);
      assertThat(stored.header("x-amz-checksum-crc32c")).isEqualTo(AwsChunkedBody.crc32c(object));
    }
    var read = s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("unsigned"));
    assertThat(read.asByteArray()).isEqualTo(object);
    assertThat(read.response().contentEncoding()).isEqualTo("gzip");
  }

  @Test
  void contentEncodingAloneMakesNoChunks() throws IOException {
    byte[] body = AwsChunkedBody.unsigned(new byte[] {'x'}, CHUNK, "x-amz-checksum-crc32c:none");
    Signed request =
        signer.sign(
            "PUT",
            "/chunked/plain",
            "UNSIGNED-PAYLOAD",
            Map.of("content-encoding", "aws-chunked,gzip,aws-chunked"));

    assertThat(put(request, body).status()).isEqualTo(200);
    var read = s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("plain"));
    assertThat(read.asByteArray()).isEqualTo(body);
    assertThat(read.response().contentEncoding()).isEqualTo("gzip");
  }

  @Test
  void trailerThatTheBodyContradictsLeavesNoObject() throws IOException {
    Signed request = signer.sign("PUT", "/chunked/wrong", UNSIGNED, headers(OBJECT.length));
    byte[] body = AwsChunkedBody.unsigned(OBJECT, CHUNK, "x-amz-checksum-crc32c:AAAAAA==");

    RawResponse refused = put(request, body);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>BadDigest</Code>");
    assertNothingAt("wrong");
  }

  @Test
  void signedChunksWithASignedTrailerAreStored() throws IOException {
    Signed request = signer.sign("PUT", "/chunked/signed", SIGNED, headers(OBJECT.length));

    RawResponse stored = put(request, signedBody(request));

    assertThat(stored.status()).isEqualTo(200);
    assertThat(s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("signed")).asByteArray())
        .isEqualTo(OBJECT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"chunk-signature=", "x-amz-trailer-signature:", "\r\n"})
  void flippedBitBehindTheseWordsLeavesNoObject(String words) throws IOException {
    Signed request = signer.sign("PUT", "/chunked/flipped", SIGNED, headers(OBJECT.length));
    byte[] body = signedBody(request);
    int place = new String(body, ISO_8859_1).indexOf(words) + words.length();
    body[place] ^= 1;

    RawResponse refused = put(request, body);

    assertThat(refused.status()).isBetween(400, 403);
    assertNothingAt("flipped");
  }

  private static RawResponse put(Signed request, byte[] body) throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      return connection
          .send(request.with("Content-Length: " + body.length + "\r\n"))
          .send(body)
          .receive();
    }
  }

  private static void assertNothingAt(String key) {
    assertThat(s3.listObjectsV2(r -> r.bucket(BUCKET).prefix(key)).contents()).isEmpty();
  }

  private static Map<String, String> headers(int length) {
    return Map.of(
        "content-encoding", "aws-chunked,gzip",
        "x-amz-decoded-content-length", Integer.toString(length),
        "x-amz-trailer", "x-amz-checksum-crc32c");
  }

  private static byte[] signedBody(Signed request) {
    return AwsChunkedBody.signed(
        signer, request, OBJECT, CHUNK, AwsChunkedBody.crc32cTrailer(OBJECT));
  }
}
