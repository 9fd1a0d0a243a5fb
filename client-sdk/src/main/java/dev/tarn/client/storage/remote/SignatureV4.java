package dev.tarn.client.storage.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * Signs requests for objects by AWS Signature Version 4, in the Authorization header. The SDK's
 * signer is for all requests there are, and costs more than all else that a small GET takes; this
 * one is for those without query and body, and keeps the day's key.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html">Authenticating
 *     requests by the Authorization header</a>
 */
final class SignatureV4 {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final String SHA256_OF_NOTHING =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int DAY_LENGTH = 8;

  private final String region;
  private final Clock clock;
  private volatile @Nullable Moment moment;
  private volatile @Nullable DayKey dayKey;

  SignatureV4(String region, Clock clock) {
    this.region = region;
    this.clock = clock;
  }

  /** A second, written out. */
  private record Moment(long epochSecond, String timestamp) {}

  /** What signs all day. */
  private static final class DayKey {
    private final String day;
    private final String secret;
    private final Mac mac;

    DayKey(String day, String secret, Mac mac) {
      this.day = day;
      this.secret = secret;
      this.mac = mac;
    }
  }

  /**
   * The headers to send: those given, and what proves who sends them.
   *
   * @param host as the Host header says it
   * @param path encoded as it is sent
   * @param headers all of which are signed
   */
  SortedMap<String, String> sign(
      AwsCredentials credentials,
      String method,
      String host,
      String path,
      Map<String, String> headers) {
    String timestamp = timestamp();
    String day = timestamp.substring(0, DAY_LENGTH);
    SortedMap<String, String> signed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    signed.putAll(headers);
    signed.put("host", host);
    signed.put("x-amz-content-sha256", SHA256_OF_NOTHING);
    signed.put("x-amz-date", timestamp);
    if (credentials instanceof AwsSessionCredentials session) {
      signed.put("x-amz-security-token", session.sessionToken());
    }
    String names = String.join(";", signed.keySet()).toLowerCase(Locale.ROOT);
    String scope = day + "/" + region + "/s3/aws4_request";
    String request = canonical(method, path, signed, names);
    String toSign = ALGORITHM + "\n" + timestamp + "\n" + scope + "\n" + hex(sha256(request));
    String signature = hex(mac(credentials, day).doFinal(toSign.getBytes(UTF_8)));
    signed.put(
        "Authorization",
        ALGORITHM
            + (" Credential=" + credentials.accessKeyId() + "/" + scope)
            + (", SignedHeaders=" + names)
            + (", Signature=" + signature));
    return signed;
  }

  private static String canonical(
      String method, String path, SortedMap<String, String> signed, String names) {
    StringBuilder text = new StringBuilder(512);
    text.append(method).append('\n').append(path).append("\n\n");
    int start = 0;
    for (String value : signed.values()) {
      int end = names.indexOf(';', start);
      text.append(names, start, end < 0 ? names.length() : end);
      text.append(':').append(trimmed(value)).append('\n');
      start = end + 1;
    }
    return text.append('\n').append(names).append('\n').append(SHA256_OF_NOTHING).toString();
  }

  /** Without spaces around it, and with one where there are several. */
  private static String trimmed(String value) {
    return value.contains("  ") ? value.strip().replaceAll(" +", " ") : value.strip();
  }

  private String timestamp() {
    Instant now = clock.instant();
    Moment known = moment;
    if (known == null || known.epochSecond() != now.getEpochSecond()) {
      known = new Moment(now.getEpochSecond(), TIMESTAMP.format(now));
      moment = known;
    }
    return known.timestamp();
  }

  /** For one signature: threads do not share it. */
  private Mac mac(AwsCredentials credentials, String day) {
    String secret = credentials.secretAccessKey();
    DayKey known = dayKey;
    if (known == null || !known.day.equals(day) || !known.secret.equals(secret)) {
      byte[] key = ("AWS4" + secret).getBytes(UTF_8);
      for (String step : new String[] {day, region, "s3", "aws4_request"}) {
        key = hmac(key).doFinal(step.getBytes(UTF_8));
      }
      known = new DayKey(day, secret, hmac(key));
      dayKey = known;
    }
    try {
      return (Mac) known.mac.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("HMACs of this Java runtime cannot be copied", e);
    }
  }

  private static Mac hmac(byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no HMAC-SHA256 in this Java runtime", e);
    }
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no SHA-256 in this Java runtime", e);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
