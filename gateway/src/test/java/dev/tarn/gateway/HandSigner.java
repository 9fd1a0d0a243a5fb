package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.ZoneOffset.UTC;

import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs by hand what no SDK sends, by the letter of the specification. */
final class HandSigner {
  private static final String SCOPE_END = "/us-east-1/s3/aws4_request";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(UTC);

  private final String host;
  private final String accessKeyId;
  private final String secret;
  private final Instant instant;
  private final String time;
  private final String scope;
  private final byte[] key;

  /** Signs now, as Alice. */
  HandSigner(String host) {
    this(host, GatewayFixture.ALICE, Instant.now());
  }

  /** Signs as the owner of this key pair, as if it were this time. */
  HandSigner(String host, String accessKeyId, Instant instant) {
    this.host = host;
    this.accessKeyId = accessKeyId;
    this.secret = accessKeyId + "-secret";
    this.instant = instant;
    this.time = TIME.format(instant);
    this.scope = time.substring(0, 8) + SCOPE_END;
    byte[] date = hmac(("AWS4" + secret).getBytes(UTF_8), time.substring(0, 8));
    this.key = hmac(hmac(hmac(date, "us-east-1"), "s3"), "aws4_request");
  }

  /**
   * A request's head without its last empty line, and its signature.
   *
   * @param head to which headers that are not signed may be added
   */
  record Signed(String head, String signature) {
    /** The head with these headers, and its end. */
    String with(String headers) {
      return head + headers + "\r\n";
    }
  }

  /** Signs a request in its header. */
  Signed sign(String method, String target, String contentSha256, Map<String, String> headers) {
    return sign(method, target, target, contentSha256, headers);
  }

  /** Signs one path and sends another. */
  Signed sign(
      String method,
      String target,
      String signedTarget,
      String contentSha256,
      Map<String, String> headers) {
    TreeMap<String, String> dated = new TreeMap<>(headers);
    dated.put("x-amz-date", time);
    return signDated(method, target, signedTarget, contentSha256, dated);
  }

  /** Signs a request that tells the time in its Date header alone. */
  Signed signDated(String method, String target, String contentSha256, String httpDate) {
    return signDated(method, target, target, contentSha256, Map.of("date", httpDate));
  }

  private Signed signDated(
      String method,
      String target,
      String signedTarget,
      String contentSha256,
      Map<String, String> dated) {
    TreeMap<String, String> all = new TreeMap<>(dated);
    all.put("host", host);
    all.put("x-amz-content-sha256", contentSha256);
    String names = String.join(";", all.keySet());
    String signature = signature(method, signedTarget, all, names, contentSha256);
    return new Signed(
        method
            + " "
            + target
            + " HTTP/1.1\r\n"
            + lines(all, ": ", "\r\n")
            + "Authorization: AWS4-HMAC-SHA256 Credential="
            + accessKeyId
            + "/"
            + scope
            + ", SignedHeaders="
            + names
            + ", Signature="
            + signature
            + "\r\n",
        signature);
  }

  /**
   * Signs a request in its query.
   *
   * @param parameters as text, beside those that sign
   * @param headers signed beside the host
   */
  String presign(
      String method, String path, Map<String, String> parameters, Map<String, String> headers) {
    TreeMap<String, String> signedHeaders = new TreeMap<>(headers);
    signedHeaders.put("host", host);
    String names = String.join(";", signedHeaders.keySet());
    TreeMap<String, String> query = new TreeMap<>();
    query.put("X-Amz-Algorithm", "AWS4-HMAC-SHA256");
    query.put("X-Amz-Credential", accessKeyId + "/" + scope);
    query.put("X-Amz-Date", time);
    query.put("X-Amz-Expires", "300");
    query.put("X-Amz-SignedHeaders", names);
    query.putAll(parameters);
    String target =
        path
            + query.entrySet().stream()
                .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&", "?", ""));
    return target
        + "&X-Amz-Signature="
        + signature(
            method,
            target,
            signedHeaders,
            names,
            parameters.getOrDefault("X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD"));
  }

  /** Signs a request in its query by version 2, with headers moved there as boto does. */
  String presignVersion2(String method, String path, Map<String, String> headers) {
    long expires = instant.getEpochSecond() + 300;
    TreeMap<String, String> amz = new TreeMap<>(headers);
    String type = headers.getOrDefault("content-type", "");
    amz.remove("content-type");
    String text = method + "\n\n" + type + "\n" + expires + "\n" + lines(amz, ":", "\n") + path;
    String signature =
        Base64.getEncoder().encodeToString(mac("HmacSHA1", secret.getBytes(UTF_8), text));
    return path
        + "?AWSAccessKeyId="
        + accessKeyId
        + "&Signature="
        + encode(signature)
        + "&Expires="
        + expires
        + headers.entrySet().stream()
            .map(entry -> "&" + entry.getKey() + "=" + encode(entry.getValue()))
            .collect(Collectors.joining());
  }

  /** The signature of a chunk behind a signature. */
  String chunk(String previous, byte[] data) {
    return chained("AWS4-HMAC-SHA256-PAYLOAD", previous, sha256(new byte[0]) + "\n" + sha256(data));
  }

  /** The signature of trailers, each with its line end, behind that of the last chunk. */
  String trailer(String previous, String trailers) {
    return chained("AWS4-HMAC-SHA256-TRAILER", previous, sha256(trailers.getBytes(UTF_8)));
  }

  private String chained(String kind, String previous, String hashes) {
    return hex(hmac(key, String.join("\n", kind, time, scope, previous, hashes)));
  }

  private String signature(
      String method, String target, Map<String, String> headers, String names, String payload) {
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    String query = question < 0 ? "" : target.substring(question + 1);
    String canonical =
        String.join("\n", method, path, query, lines(headers, ":", "\n"), names, payload);
    return hex(
        hmac(
            key,
            String.join("\n", "AWS4-HMAC-SHA256", time, scope, sha256(canonical.getBytes(UTF_8)))));
  }

  private static String lines(Map<String, String> headers, String between, String end) {
    return headers.entrySet().stream()
        .map(entry -> entry.getKey() + between + entry.getValue() + end)
        .collect(Collectors.joining());
  }

  static String sha256(byte[] bytes) {
    try {
      return hex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String encode(String text) {
    return URLEncoder.encode(text, ISO_8859_1).replace("+", "%20").replace("%7E", "~");
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] hmac(byte[] key, String text) {
    return mac("HmacSHA256", key, text);
  }

  private static byte[] mac(String algorithm, byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key, algorithm));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
