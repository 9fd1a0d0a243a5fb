package dev.tarn.standalone.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.node.KeyPair;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs admin requests with AWS Signature Version 4. Admin requests have no query. */
record RequestSigner(KeyPair pair, InstantSource clock) {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final String SIGNED_HEADERS = "host;x-amz-content-sha256;x-amz-date";
  private static final int DATE_LENGTH = 8;

  RequestSigner {
    requireNonNull(pair, "pair is null");
    requireNonNull(clock, "clock is null");
  }

  /** Returns the headers to add to the request. */
  Map<String, String> sign(String method, URI uri, byte[] body) {
    try {
      String timestamp = TIMESTAMP.format(clock.instant());
      String date = timestamp.substring(0, DATE_LENGTH);
      List<String> steps = List.of(date, "us-east-1", "s3", "aws4_request");
      String scope = String.join("/", steps);
      String bodyHash = hash(body);
      String canonical =
          String.join(
              "\n",
              method,
              uri.getRawPath(),
              "",
              "host:" + uri.getRawAuthority(),
              "x-amz-content-sha256:" + bodyHash,
              "x-amz-date:" + timestamp,
              "",
              SIGNED_HEADERS,
              bodyHash);
      String toSign = String.join("\n", ALGORITHM, timestamp, scope, hash(utf8(canonical)));
      byte[] key = utf8("AWS4" + pair.secretKey());
      for (String step : steps) {
        key = hmac(key, step);
      }
      String signature = HexFormat.of().formatHex(hmac(key, toSign));
      return Map.of(
          "x-amz-date", timestamp,
          "x-amz-content-sha256", bodyHash,
          "authorization",
              "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                  .formatted(ALGORITHM, pair.accessKey(), scope, SIGNED_HEADERS, signature));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String hash(byte[] bytes) throws GeneralSecurityException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(utf8(text));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
