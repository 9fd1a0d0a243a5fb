package dev.tarn.gateway.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.QueryParameters;
import dev.tarn.gateway.request.QueryParameters.Parameter;
import dev.tarn.gateway.request.RequestHead;
import java.security.GeneralSecurityException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies signatures of version 2 (HMAC-SHA1) in query strings. By default, boto3 still creates
 * presigned URLs of this version.
 */
final class SignatureV2Verifier {
  private static final String ACCESS_KEY_ID = "AWSAccessKeyId";
  private static final String SIGNATURE = "Signature";
  private static final String EXPIRES = "Expires";

  /** The parameters that are signed together with the path; no other parameter is signed. */
  private static final Set<String> SIGNED_PARAMETERS =
      Set.of(
          "accelerate",
          "acl",
          "analytics",
          "cors",
          "defaultObjectAcl",
          "delete",
          "inventory",
          "lifecycle",
          "location",
          "logging",
          "metrics",
          "notification",
          "object-lock",
          "partNumber",
          "policy",
          "replication",
          "requestPayment",
          "response-cache-control",
          "response-content-disposition",
          "response-content-encoding",
          "response-content-language",
          "response-content-type",
          "response-expires",
          "restore",
          "select",
          "select-type",
          "storageClass",
          "tagging",
          "torrent",
          "uploadId",
          "uploads",
          "versionId",
          "versioning",
          "versions",
          "website");

  private final CredentialSource credentials;
  private final Addressing addressing;

  SignatureV2Verifier(CredentialSource credentials, Addressing addressing) {
    this.credentials = credentials;
    this.addressing = addressing;
  }

  /** Whether a query string contains a parameter of such a signature. */
  static boolean isIn(QueryParameters query) {
    return query.contains(ACCESS_KEY_ID) || query.contains(SIGNATURE);
  }

  /** Whether a signature covers a parameter of this name. */
  static boolean signs(String name) {
    return SIGNED_PARAMETERS.contains(name);
  }

  Authentication verify(RequestHead head) {
    String accessKeyId = only(head.query(), ACCESS_KEY_ID);
    String expires = only(head.query(), EXPIRES);
    // An unescaped plus is decoded as a space; base64 has no spaces.
    String provided = only(head.query(), SIGNATURE).replace(' ', '+');
    Credential credential = credentials.find(accessKeyId);
    if (credential == null) {
      throw S3Exception.of(S3ErrorCode.INVALID_ACCESS_KEY_ID).with(ACCESS_KEY_ID, accessKeyId);
    }
    requireNotExpired(head, expires);
    String secret = credential.key().secret();
    String stringToSign = stringToSign(head, expires, head.rawPath());
    // boto signs the slash after the bucket, even if the request is sent without it.
    if (!holds(secret, stringToSign, provided)
        && (head.rawPath().indexOf('/', 1) > 0
            || !holds(secret, stringToSign(head, expires, head.rawPath() + "/"), provided))) {
      throw S3Exception.of(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH)
          .with(ACCESS_KEY_ID, accessKeyId)
          .with("StringToSign", stringToSign)
          .with("SignatureProvided", provided);
    }
    return new Authentication.Authenticated(
        credential.user(),
        accessKeyId,
        Authentication.Scheme.V2_QUERY,
        ContentSha256.plan(head.headers().first(ContentSha256.HEADER), null));
  }

  private static boolean holds(String secret, String stringToSign, String provided) {
    return ConstantTime.equal(sign(secret, stringToSign), provided);
  }

  private static String only(QueryParameters query, String name) {
    List<String> values = query.all(name);
    if (values.size() != 1) {
      throw S3Exception.of(
          S3ErrorCode.ACCESS_DENIED,
          "Query-string authentication requires the Signature, Expires and AWSAccessKeyId"
              + " parameters, each once");
    }
    return values.getFirst();
  }

  private static void requireNotExpired(RequestHead head, String expires) {
    Instant end;
    try {
      end = Instant.ofEpochSecond(Math.min(Long.parseLong(expires), Instant.MAX.getEpochSecond()));
    } catch (NumberFormatException | DateTimeException _) {
      throw S3Exception.of(
          S3ErrorCode.ACCESS_DENIED, "Invalid date (should be seconds since epoch): " + expires);
    }
    if (head.arrival().isAfter(end)) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED, "Request has expired")
          .with(EXPIRES, end.toString())
          .with("ServerTime", head.arrival().toString());
    }
  }

  private String stringToSign(RequestHead head, String expires, String path) {
    StringBuilder text = new StringBuilder(256);
    text.append(head.method()).append('\n');
    text.append(content(head, "content-md5")).append('\n');
    text.append(content(head, "content-type")).append('\n');
    text.append(expires).append('\n');
    amzHeaders(head)
        .forEach((name, values) ->
            text.append(name).append(':').append(String.join(",", values)).append('\n'));
    addressing.hostBucket(head).ifPresent(bucket -> text.append('/').append(bucket));
    text.append(path);
    String parameters =
        head.query().list().stream()
            .filter(parameter -> SIGNED_PARAMETERS.contains(parameter.name()))
            .sorted(Comparator.comparing(Parameter::name))
            .map(SignatureV2Verifier::text)
            .collect(Collectors.joining("&"));
    return text.append(parameters.isEmpty() ? "" : "?").append(parameters).toString();
  }

  private static String text(Parameter parameter) {
    requireNoneInside(parameter);
    return parameter.value().isEmpty()
        ? parameter.name()
        : parameter.name() + "=" + parameter.value();
  }

  /**
   * Refuses a value that contains a signed parameter. Values are signed without escapes. A value
   * that ends in {@code &versionId=...} would have the same signature as the two parameters, so an
   * attacker could remove the version.
   */
  private static void requireNoneInside(Parameter parameter) {
    String[] pieces = parameter.value().split("&", -1);
    for (int i = 1; i < pieces.length; i++) {
      if (SIGNED_PARAMETERS.contains(pieces[i].split("=", 2)[0])) {
        throw S3Exception.of(
            S3ErrorCode.ACCESS_DENIED,
            "The value of " + parameter.name() + " reads as if it were several parameters.");
      }
    }
  }

  /** A content header; a signer may also have moved it into the query. */
  private static String content(RequestHead head, String name) {
    return head.headers()
        .find(name)
        .or(() -> head.query().find(name).map(SignatureV2Verifier::oneLine))
        .orElse("")
        .strip();
  }

  /** The x-amz- headers by name, including those that the signer moved into the query. */
  private static Map<String, List<String>> amzHeaders(RequestHead head) {
    Map<String, List<String>> found = new TreeMap<>();
    Headers headers = head.headers();
    for (int i = 0; i < headers.size(); i++) {
      if (headers.nameAt(i).startsWith("x-amz-")) {
        found
            .computeIfAbsent(headers.nameAt(i), _ -> new ArrayList<>(1))
            .add(headers.valueAt(i).strip());
      }
    }
    Set<String> parameters = new HashSet<>();
    for (Parameter parameter : head.query().list()) {
      String name = parameter.name().toLowerCase(Locale.ROOT);
      if (name.startsWith("x-amz-")) {
        if (!parameters.add(name)) {
          throw S3Exception.of(
              S3ErrorCode.ACCESS_DENIED,
              "The parameter " + oneLine(name) + " stands for a header and is given twice.");
        }
        found.putIfAbsent(oneLine(name), List.of(oneLine(parameter.value()).strip()));
      }
    }
    return found;
  }

  /**
   * Refuses line breaks. With a line break, a value could pass for the next line of the signed
   * text.
   */
  private static String oneLine(String value) {
    if (value.indexOf('\n') >= 0) {
      throw S3Exception.of(
          S3ErrorCode.ACCESS_DENIED, "A parameter that stands for a header has a line break.");
    }
    return value;
  }

  /** The HMAC-SHA1 of a text in Base64, which is the signature of version 2. */
  static String sign(String secret, String stringToSign) {
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA1"));
      return Base64.getEncoder().encodeToString(mac.doFinal(stringToSign.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK cannot make an HMAC-SHA1", e);
    }
  }
}
