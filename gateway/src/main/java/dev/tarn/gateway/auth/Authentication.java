package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.User;

/** The sender of a request, and how to verify its body. */
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
   * The signature was verified.
   *
   * @param user who signed
   * @param accessKeyId of the key pair that signed
   * @param scheme of the signature
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

  /** The signature schemes. */
  enum Scheme {
    /** Version 4 in the Authorization header. */
    V4_HEADER,
    /** Version 4 in the query string. */
    V4_QUERY,
    /** Version 2 in the query string. */
    V2_QUERY;

    /**
     * Whether the scheme signs a query parameter of this name. Version 2 signs only some
     * parameters.
     */
    public boolean signsParameter(String name) {
      return this != V2_QUERY || SignatureV2Verifier.signs(name);
    }
  }
}
