package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.gateway.HandSigner.Signed;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;

/** Objects in the framing of aws-chunked, by the letter of the specification. */
final class AwsChunkedBody {
  static final String UNSIGNED_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
  static final String SIGNED = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
  static final String SIGNED_TRAILER = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";

  private AwsChunkedBody() {}

  /** In chunks that nobody signed, with this trailer line. */
  static byte[] unsigned(byte[] object, int chunkBytes, String trailer) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int start = 0; start < object.length; start += chunkBytes) {
      int chunk = Math.min(chunkBytes, object.length - start);
      body.writeBytes(ascii(Integer.toHexString(chunk) + "\r\n"));
      body.write(object, start, chunk);
      body.writeBytes(ascii("\r\n"));
    }
    body.writeBytes(ascii("0\r\n" + trailer + "\r\n\r\n"));
    return body.toByteArray();
  }

  /** In chunks each of which is signed, behind the signature of their request. */
  static byte[] signed(HandSigner signer, Signed request, byte[] object, int chunkBytes) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String last = appendChunks(body, signer, request, object, chunkBytes);
    body.writeBytes(ascii("0;chunk-signature=" + last + "\r\n\r\n"));
    return body.toByteArray();
  }

  /** The same with this trailer line, which is signed too. */
  static byte[] signed(
      HandSigner signer, Signed request, byte[] object, int chunkBytes, String trailer) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String last = appendChunks(body, signer, request, object, chunkBytes);
    body.writeBytes(
        ascii(
            "0;chunk-signature="
                + last
                + "\r\n"
                + trailer
                + "\r\nx-amz-trailer-signature:"
                + signer.trailer(last, trailer + "\n")
                + "\r\n\r\n"));
    return body.toByteArray();
  }

  /** Gives the signature of the chunk of no bytes that is to follow. */
  private static String appendChunks(
      ByteArrayOutputStream body,
      HandSigner signer,
      Signed request,
      byte[] object,
      int chunkBytes) {
    String previous = request.signature();
    for (int start = 0; start < object.length; start += chunkBytes) {
      byte[] chunk = Arrays.copyOfRange(object, start, Math.min(start + chunkBytes, object.length));
      previous = signer.chunk(previous, chunk);
      body.writeBytes(
          ascii(Integer.toHexString(chunk.length) + ";chunk-signature=" + previous + "\r\n"));
      body.writeBytes(chunk);
      body.writeBytes(ascii("\r\n"));
    }
    return signer.chunk(previous, new byte[0]);
  }

  /** The trailer line with the object's CRC32C. */
  static String crc32cTrailer(byte[] object) {
    return "x-amz-checksum-crc32c:" + crc32c(object);
  }

  static String crc32c(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
