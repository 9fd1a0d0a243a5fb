package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A signature of version 4 as the client sent it.
 *
 * @param scheme in the header or in the query string
 * @param scope in which the signature is valid
 * @param time of the signature
 * @param signedHeaders the names of the signed headers, as sent: in lower case, separated by
 *     semicolons
 * @param signatureHex the signature as sent
 */
record SignatureV4(
    Authentication.Scheme scheme,
    CredentialScope scope,
    SignatureTime time,
    String signedHeaders,
    String signatureHex) {
  static final String ALGORITHM = "AWS4-HMAC-SHA256";

  SignatureV4 {
    requireNonNull(scheme, "scheme is null");
    requireNonNull(scope, "scope is null");
    requireNonNull(time, "time is null");
    requireNonNull(signedHeaders, "signedHeaders is null");
    requireNonNull(signatureHex, "signatureHex is null");
  }

  /**
   * Parses the Authorization header: {@code AWS4-HMAC-SHA256 Credential=..., SignedHeaders=...,
   * Signature=...}.
   *
   * @throws S3Exception InvalidRequest for another scheme, AuthorizationHeaderMalformed, or
   *     AccessDenied if there is no valid date
   */
  static SignatureV4 ofHeader(String authorization, Headers headers) {
    if (!authorization.startsWith(ALGORITHM + " ")) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "The authorization mechanism you have provided is not supported. Please use"
              + " AWS4-HMAC-SHA256.");
    }
    CredentialScope scope =
        CredentialScope.parse(field(authorization, "Credential="))
            .orElseThrow(() ->
                malformed(
                    "the Credential is malformed; expecting"
                        + " \"<YOUR-AKID>/YYYYMMDD/REGION/s3/aws4_request\"."));
    SignatureTime time = SignatureTime.of(headers);
    if (time == null) {
      throw S3Exception.of(
          S3ErrorCode.ACCESS_DENIED,
          "AWS authentication requires a valid Date or x-amz-date header.");
    }
    if (!time.isOn(scope.date())) {
      throw malformed(
          "Invalid credential date \""
              + scope.date()
              + "\". This date is not the same as that of the request: \""
              + time.text().substring(0, 8)
              + "\".");
    }
    return new SignatureV4(
        Authentication.Scheme.V4_HEADER,
        scope,
        time,
        field(authorization, "SignedHeaders="),
        field(authorization, "Signature="));
  }

  /** The value that follows {@code label} up to the next comma. */
  private static String field(String authorization, String label) {
    String value = find(authorization, label);
    if (value == null || value.isEmpty()) {
      throw malformed("it has no " + label.substring(0, label.length() - 1) + ".");
    }
    return value;
  }

  private static @Nullable String find(String authorization, String label) {
    int start = ALGORITHM.length();
    while (start < authorization.length()) {
      int comma = authorization.indexOf(',', start + 1);
      int end = comma < 0 ? authorization.length() : comma;
      int field = start + 1;
      while (field < end && authorization.charAt(field) == ' ') {
        field++;
      }
      if (authorization.startsWith(label, field)) {
        return authorization.substring(field + label.length(), end).strip();
      }
      start = end;
    }
    return null;
  }

  private static S3Exception malformed(String what) {
    return S3Exception.of(
        S3ErrorCode.AUTHORIZATION_HEADER_MALFORMED,
        "The authorization header is malformed; " + what);
  }

  /** The names of the signed headers. */
  List<String> signedHeaderNames() {
    return Arrays.asList(signedHeaders.split(";", -1));
  }

  /**
   * Whether the signature equals the expected one; the duration does not reveal how much is right.
   */
  boolean is(String expectedHex) {
    return ConstantTime.equal(expectedHex, signatureHex);
  }
}
