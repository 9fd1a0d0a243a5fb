package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import javax.crypto.SecretKey;

/**
 * The start of the chain of chunk signatures in a body. The text form omits the key.
 *
 * @param signingKey of the request
 * @param timestamp of the request, {@code yyyyMMdd'T'HHmmss'Z'}
 * @param scope {@code date/region/service/aws4_request}
 * @param seedHex the signature of the request in lower-case hexadecimal
 */
public record SignatureChain(SecretKey signingKey, String timestamp, String scope, String seedHex) {
  public SignatureChain {
    requireNonNull(signingKey, "signingKey is null");
    requireNonNull(timestamp, "timestamp is null");
    requireNonNull(scope, "scope is null");
    requireNonNull(seedHex, "seedHex is null");
  }

  @Override
  public String toString() {
    return "signature chain of " + timestamp + " " + scope;
  }
}
