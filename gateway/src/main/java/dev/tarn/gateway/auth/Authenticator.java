package dev.tarn.gateway.auth;

import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.RequestHead;

/** Verifies the signatures of requests. */
public interface Authenticator {
  /**
   * Finds who sent a request. The request's arrival counts as the current time. Never blocks and
   * never reads the body.
   *
   * @throws S3Exception if the signature is malformed, expired or wrong, or its key is not known
   */
  Authentication authenticate(RequestHead head);
}
