package dev.tarn.gateway.auth;

import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.RequestHead;

/** Judges the signatures of requests. */
public interface Authenticator {
  /**
   * Finds who sent a request, by the time of its arrival. Never blocks and never looks at the body.
   *
   * @throws S3Exception if the signature is malformed, expired or wrong, or its key is not known
   */
  Authentication authenticate(RequestHead head);
}
