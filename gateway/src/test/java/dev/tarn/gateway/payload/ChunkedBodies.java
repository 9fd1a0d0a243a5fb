package dev.tarn.gateway.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.gateway.auth.ExampleRequests;
import dev.tarn.gateway.request.RequestHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The bodies that the documentation of S3 shows, and a way through a decoder. */
final class ChunkedBodies {
  /** The object of the examples: the letter a. */
  static final byte[] OBJECT = new byte[66560];

  static {
    Arrays.fill(OBJECT, (byte) 'a');
  }

  private ChunkedBodies() {}

  /** The example in signed chunks. */
  static byte[] signed() {
    return body(
            "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
            "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
            "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9")
        .concat("\r\n")
        .getBytes(ISO_8859_1);
  }

  /** The example in signed chunks with a signed trailer. */
  static byte[] signedWithTrailer() {
    return body(
            "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
            "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
            "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992")
        .concat("x-amz-checksum-crc32c:sOO8/Q==\r\n")
        .concat("x-amz-trailer-signature:")
        .concat("d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n")
        .getBytes(ISO_8859_1);
  }

  private static String body(String first, String second, String last) {
    return "10000;chunk-signature="
        + first
        + "\r\n"
        + "a".repeat(65536)
        + "\r\n400;chunk-signature="
        + second
        + "\r\n"
        + "a".repeat(1024)
        + "\r\n0;chunk-signature="
        + last
        + "\r\n";
  }

  /** The decoder of a request of the examples. */
  static PayloadDecoder decoder(RequestHead head) {
    return PayloadDecoders.open(
        head.headers(), ExampleRequests.authenticator().authenticate(head).payload(), 1L << 30);
  }

  /** Feeds a body in pieces of one size and ends it. */
  static byte[] decode(PayloadDecoder decoder, byte[] body, int pieceLength) {
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    for (int start = 0; start < body.length; start += pieceLength) {
      feed(decoder, body, start, Math.min(body.length, start + pieceLength), decoded);
    }
    decoder.end();
    return decoded.toByteArray();
  }

  /** Feeds the bytes from {@code start} to {@code end}. */
  static void feed(
      PayloadDecoder decoder, byte[] body, int start, int end, ByteArrayOutputStream decoded) {
    ByteBuffer piece = ByteBuffer.wrap(body, start, end - start);
    decoder.feed(
        piece,
        part -> {
          byte[] bytes = new byte[part.remaining()];
          part.get(bytes);
          decoded.writeBytes(bytes);
        });
    if (piece.hasRemaining()) {
      throw new AssertionError("the decoder left " + piece.remaining() + " bytes");
    }
  }
}
