package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;

/**
 * What a request claims by a signature of version 4, wherever it stands.
 *
 * @param scheme in the header or in the query string
 * @param scope for what it is good
 * @param time when it was made
 * @param signedHeaders the names that it covers, as sent: in lower case, separated by semicolons
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

  /** The names that it covers, one by one. */
  List<String> signedHeaderNames() {
    return Arrays.asList(signedHeaders.split(";", -1));
  }

  /** Compares in a time that does not tell how much is right. */
  boolean is(String expectedHex) {
    return ConstantTime.equal(expectedHex, signatureHex);
  }
}
