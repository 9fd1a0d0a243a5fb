package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests with AWS Signature Version 4 in the Authorization header. */
public final class Signer {
  /** The payload hash of a request without a body. */
  public static final String EMPTY_PAYLOAD = sha256(ByteBuffer.allocate(0));

  public static final String UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";

  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final String REGION = "us-east-1";
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final Credentials credentials;
  private final String timestamp;
  private final String scope;
  private final Mac signing;

  /** A signer for requests sent within minutes of the given time. */
  public Signer(Credentials credentials, Instant time) {
    this.credentials = requireNonNull(credentials, "credentials is null");
    timestamp = TIMESTAMP.format(time);
    String date = timestamp.substring(0, 8);
    scope = date + "/" + REGION + "/s3/aws4_request";
    byte[] secret = ("AWS4" + credentials.secretKey()).getBytes(UTF_8);
    byte[] key = mac(secret).doFinal(date.getBytes(UTF_8));
    for (String step : new String[] {REGION, "s3", "aws4_request"}) {
      key = mac(key).doFinal(step.getBytes(UTF_8));
    }
    signing = mac(key);
  }

  /**
   * The headers to send, signature included.
   *
   * @param path percent-encoded
   * @param query in canonical form, without the question mark; empty for none
   * @param headers lower-case names; {@code host} among them
   * @param payloadHash hex SHA-256 of the body or one of the constants above
   */
  public SortedMap<String, String> sign(
      String method, String path, String query, Map<String, String> headers, String payloadHash) {
    TreeMap<String, String> signed = new TreeMap<>(headers);
    signed.put("x-amz-content-sha256", payloadHash);
    signed.put("x-amz-date", timestamp);
    String names = String.join(";", signed.keySet());
    String canonicalHeaders =
        signed.entrySet().stream()
            .map(header -> header.getKey() + ":" + header.getValue() + "\n")
            .collect(Collectors.joining());
    String canonical = String.join("\n", method, path, query, canonicalHeaders, names, payloadHash);
    String toSign = String.join("\n", ALGORITHM, timestamp, scope, sha256(utf8(canonical)));
    String signature = HexFormat.of().formatHex(signing.doFinal(toSign.getBytes(UTF_8)));
    signed.put(
        "authorization",
        "%s Credential=%s/%s,SignedHeaders=%s,Signature=%s"
            .formatted(ALGORITHM, credentials.accessKey(), scope, names, signature));
    return signed;
  }

  /** The hex SHA-256 of the buffer's remaining bytes. The buffer's position does not change. */
  public static String sha256(ByteBuffer body) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(body.duplicate());
      return HexFormat.of().formatHex(digest.digest());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK lacks SHA-256", e);
    }
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK lacks HMAC-SHA256", e);
    }
  }
}
