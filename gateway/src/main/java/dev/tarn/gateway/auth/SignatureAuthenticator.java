package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.request.QueryParameters;
import dev.tarn.gateway.request.RequestHead;

/**
 * Verifies requests according to the place of their signature: version 4 in the Authorization
 * header, version 4 or version 2 in the query string, or no signature. Thread-safe.
 */
public final class SignatureAuthenticator implements Authenticator {
  private final SignatureV4Verifier version4;
  private final SignatureV2Verifier version2;

  /**
   * Verifies with these key pairs.
   *
   * @param addressing finds the bucket in the host, which version 2 signs as part of the path
   */
  public SignatureAuthenticator(CredentialSource credentials, Addressing addressing) {
    requireNonNull(credentials, "credentials is null");
    requireNonNull(addressing, "addressing is null");
    version4 = new SignatureV4Verifier(credentials);
    version2 = new SignatureV2Verifier(credentials, addressing);
  }

  @Override
  public Authentication authenticate(RequestHead head) {
    String authorization = head.headers().first("authorization");
    QueryParameters query = head.query();
    boolean inQuery4 = !query.isEmpty() && PresignedQuery.isIn(query);
    boolean inQuery2 = !query.isEmpty() && SignatureV2Verifier.isIn(query);
    if ((authorization != null && (inQuery4 || inQuery2)) || (inQuery4 && inQuery2)) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_ARGUMENT,
          "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature"
              + " query string parameter or the Authorization header should be specified");
    }
    if (authorization != null) {
      return version4.verifyHeader(head, authorization);
    }
    if (inQuery4) {
      return version4.verifyQuery(head);
    }
    if (inQuery2) {
      return version2.verify(head);
    }
    return new Authentication.Anonymous(
        ContentSha256.plan(head.headers().first(ContentSha256.HEADER), null));
  }
}
