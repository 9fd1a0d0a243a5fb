package dev.tarn.gateway.s3.listing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.gateway.s3.operation.Numbers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;

/** The opaque text by which a listing goes on: what it gave last, and nothing else. */
public final class ContinuationToken {
  private static final byte FORMAT_VERSION = 1;

  private ContinuationToken() {}

  /** The token of a listing that gave this last. */
  public static String encode(String last) {
    byte[] text = last.getBytes(UTF_8);
    byte[] token = new byte[1 + text.length];
    token[0] = FORMAT_VERSION;
    System.arraycopy(text, 0, token, 1, text.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /** What the listing gave last; InvalidArgument for a token that is not ours. */
  public static String decode(String token) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(token);
      if (bytes.length > 1 && bytes[0] == FORMAT_VERSION) {
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 1, bytes.length - 1)).toString();
      }
    } catch (IllegalArgumentException | CharacterCodingException e) {
      // Told below, as a token of another format is.
    }
    throw Numbers.invalid(
        "continuation-token", token, "The continuation token provided is incorrect.");
  }
}
