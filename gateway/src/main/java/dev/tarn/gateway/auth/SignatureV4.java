package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;

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
