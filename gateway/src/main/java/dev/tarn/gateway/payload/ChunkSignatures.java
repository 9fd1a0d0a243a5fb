package dev.tarn.gateway.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tarn.gateway.auth.ConstantTime;
import dev.tarn.gateway.auth.SignatureChain;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;

/**
 * Verifies signed chunks. Each chunk signature covers the chunk's bytes and the previous signature.
 */
final class ChunkSignatures implements ChunkVerifier {
  private static final String SHA256_HEX_OF_NOTHING =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private final SignatureChain chain;
  private final boolean trailer;
  private final Mac mac;
  private final MessageDigest sha256;
  private String previousHex;

  /**
   * Starts the chain with a request's signature.
   *
   * @param trailer whether signed trailers follow the last chunk
   */
  ChunkSignatures(SignatureChain chain, boolean trailer) {
    this.chain = chain;
    this.trailer = trailer;
    this.previousHex = chain.seedHex();
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(chain.signingKey());
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK cannot make an HMAC-SHA256", e);
    }
  }

  @Override
  public void update(ByteBuffer data) {
    sha256.update(data.duplicate());
  }

  @Override
  public void endChunk(String signatureHex) {
    verify("AWS4-HMAC-SHA256-PAYLOAD", SHA256_HEX_OF_NOTHING + "\n", signatureHex, "a chunk");
  }

  @Override
  public void endTrailers(String canonicalTrailers, String signatureHex) {
    if (trailer) {
      sha256.update(canonicalTrailers.getBytes(ISO_8859_1));
      verify("AWS4-HMAC-SHA256-TRAILER", "", signatureHex, "the trailer");
    }
  }

  private void verify(String algorithm, String beforeHash, String signatureHex, String what) {
    String stringToSign =
        algorithm
            + "\n"
            + chain.timestamp()
            + "\n"
            + chain.scope()
            + "\n"
            + previousHex
            + "\n"
            + beforeHash
            + HexFormat.of().formatHex(sha256.digest());
    String expected = HexFormat.of().formatHex(mac.doFinal(stringToSign.getBytes(US_ASCII)));
    if (!ConstantTime.equal(expected, signatureHex)) {
      throw S3Exception.of(
              S3ErrorCode.SIGNATURE_DOES_NOT_MATCH,
              "The signature we calculated for "
                  + what
                  + " of the body does not match the one you provided.")
          .with("StringToSign", stringToSign)
          .with("SignatureProvided", signatureHex);
    }
    previousHex = expected;
  }
}
