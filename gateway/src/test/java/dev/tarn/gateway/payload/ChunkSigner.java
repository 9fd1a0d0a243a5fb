package dev.tarn.gateway.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tarn.gateway.auth.SignatureChain;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;

/** Frames a body in signed chunks, by the letter of the specification. */
final class ChunkSigner {
  private final SignatureChain chain;
  private final StringBuilder framed = new StringBuilder();
  private String previousHex;

  ChunkSigner(SignatureChain chain) {
    this.chain = chain;
    this.previousHex = chain.seedHex();
  }

  ChunkSigner chunk(String content) {
    header(content).append(content).append("\r\n");
    return this;
  }

  /** The body, ended without a trailer. */
  String end() {
    return header("").append("\r\n").toString();
  }

  /** The body, ended with this trailer. */
  String end(String name, String value) {
    header("");
    sign("AWS4-HMAC-SHA256-TRAILER", sha256Hex(name + ":" + value + "\n"));
    return framed
        .append(name)
        .append(':')
        .append(value)
        .append("\r\nx-amz-trailer-signature:")
        .append(previousHex)
        .append("\r\n\r\n")
        .toString();
  }

  private StringBuilder header(String content) {
    sign("AWS4-HMAC-SHA256-PAYLOAD", sha256Hex("") + "\n" + sha256Hex(content));
    return framed
        .append(Integer.toHexString(content.length()))
        .append(";chunk-signature=")
        .append(previousHex)
        .append("\r\n");
  }

  private void sign(String algorithm, String hashes) {
    String text =
        String.join("\n", algorithm, chain.timestamp(), chain.scope(), previousHex, hashes);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(chain.signingKey());
      previousHex = HexFormat.of().formatHex(mac.doFinal(text.getBytes(US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sha256Hex(String content) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(content.getBytes(ISO_8859_1)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
