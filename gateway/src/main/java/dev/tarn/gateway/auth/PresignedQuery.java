package dev.tarn.gateway.auth;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.QueryParameters;
import java.time.Instant;
import java.util.List;

/**
 * A signature of version 4 in a query string.
 *
 * @param signature the signature with its scope and time
 * @param expires the first moment at which the signature is no longer valid
 */
record PresignedQuery(SignatureV4 signature, Instant expires) {
  static final String SIGNATURE = "X-Amz-Signature";
  private static final String ALGORITHM = "X-Amz-Algorithm";
  private static final String CREDENTIAL = "X-Amz-Credential";
  private static final String EXPIRES = "X-Amz-Expires";
  private static final int EXPIRES_SECONDS_MAX = 604_800;

  /** Whether a query string contains a parameter of such a signature. */
  static boolean isIn(QueryParameters query) {
    return query.contains(SIGNATURE) || query.contains(ALGORITHM) || query.contains(CREDENTIAL);
  }

  /**
   * Reads the signature.
   *
   * @throws S3Exception AuthorizationQueryParametersError
   */
  static PresignedQuery read(QueryParameters query) {
    String algorithm = only(query, ALGORITHM);
    if (!algorithm.equals(SignatureV4.ALGORITHM)) {
      throw malformed("X-Amz-Algorithm only supports \"AWS4-HMAC-SHA256\"");
    }
    CredentialScope scope =
        CredentialScope.parse(only(query, CREDENTIAL))
            .orElseThrow(() ->
                malformed(
                    "Error parsing the X-Amz-Credential parameter; expecting"
                        + " \"<YOUR-AKID>/YYYYMMDD/REGION/s3/aws4_request\"."));
    SignatureTime time = SignatureTime.parse(only(query, "X-Amz-Date"));
    if (time == null) {
      throw malformed("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
    }
    if (!time.isOn(scope.date())) {
      throw malformed(
          "Invalid credential date \""
              + scope.date()
              + "\". This date is not the same as X-Amz-Date: \""
              + time.text().substring(0, 8)
              + "\".");
    }
    SignatureV4 signature =
        new SignatureV4(
            Authentication.Scheme.V4_QUERY,
            scope,
            time,
            only(query, "X-Amz-SignedHeaders"),
            only(query, SIGNATURE));
    return new PresignedQuery(
        signature, time.instant().plusSeconds(expiresSeconds(only(query, EXPIRES))));
  }

  private static int expiresSeconds(String text) {
    int seconds;
    try {
      seconds = Integer.parseInt(text);
    } catch (NumberFormatException _) {
      throw malformed("X-Amz-Expires should be a number");
    }
    if (seconds < 1) {
      throw malformed("X-Amz-Expires must be at least 1");
    }
    if (seconds > EXPIRES_SECONDS_MAX) {
      throw malformed("X-Amz-Expires must be less than a week (in seconds) that is 604800");
    }
    return seconds;
  }

  private static String only(QueryParameters query, String name) {
    List<String> values = query.all(name);
    if (values.size() != 1 || values.getFirst().isEmpty()) {
      throw malformed(
          "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential,"
              + " X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters,"
              + " each once: "
              + name
              + " is there "
              + values.size()
              + " times.");
    }
    return values.getFirst();
  }

  private static S3Exception malformed(String message) {
    return S3Exception.of(S3ErrorCode.AUTHORIZATION_QUERY_PARAMETERS_ERROR, message);
  }
}
