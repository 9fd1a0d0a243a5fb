package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.User;

/** Who sent a request, and how its body is to be verified. */
public sealed interface Authentication {
  /** How the body is framed and verified. */
  PayloadPlan payload();

  /** Nobody signed the request. */
  record Anonymous(PayloadPlan payload) implements Authentication {
    public Anonymous {
      requireNonNull(payload, "payload is null");
    }
  }

  /**
   * The signature holds.
   *
   * @param user who signed
   * @param accessKeyId with which key pair
   * @param scheme by which rules
   */
  record Authenticated(User user, String accessKeyId, Scheme scheme, PayloadPlan payload)
      implements Authentication {
    public Authenticated {
      requireNonNull(user, "user is null");
      requireNonNull(accessKeyId, "accessKeyId is null");
      requireNonNull(scheme, "scheme is null");
      requireNonNull(payload, "payload is null");
    }
  }

  /** The rules of a signature. */
  enum Scheme {
    /** Version 4 in the Authorization header. */
    V4_HEADER,
    /** Version 4 in the query string. */
    V4_QUERY,
    /** Version 2 in the query string. */
    V2_QUERY;

    /** Whether it covers a query parameter of this name; version 2 knows only some. */
    public boolean signsParameter(String name) {
      return this != V2_QUERY || SignatureV2Verifier.signs(name);
    }
  }
}
