package dev.tarn.gateway.s3.listing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.gateway.s3.operation.Numbers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;

/**
 * The opaque token that continues a listing. It contains only the last entry of the previous page.
 */
public final class ContinuationToken {
  private static final byte FORMAT_VERSION = 1;

  private ContinuationToken() {}

  /** Creates the token for the last entry of a page. */
  public static String encode(String last) {
    byte[] text = last.getBytes(UTF_8);
    byte[] token = new byte[1 + text.length];
    token[0] = FORMAT_VERSION;
    System.arraycopy(text, 0, token, 1, text.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /**
   * The last entry of the previous page; InvalidArgument if this gateway did not create the token.
   */
  public static String decode(String token) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(token);
      if (bytes.length > 1 && bytes[0] == FORMAT_VERSION) {
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 1, bytes.length - 1)).toString();
      }
    } catch (IllegalArgumentException | CharacterCodingException e) {
      // Reported below, like a token of another format.
    }
    throw Numbers.invalid(
        "continuation-token", token, "The continuation token provided is incorrect.");
  }
}
