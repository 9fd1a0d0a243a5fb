package dev.tarn.cluster.control.remote;

import static java.util.Objects.requireNonNull;

import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** Signs the certificates of members. Safe for use by many threads. */
public interface CertificateIssuer {
  /**
   * Signs a certificate for a member.
   *
   * @param audience the kind of member, which decides what the certificate may be used for
   * @param wish empty to ask for the authorities alone
   * @throws RefusedException if no certificate can be signed for this wish, or by this authority
   */
  Issued issue(Audience audience, Optional<Wish> wish) throws RefusedException;

  /**
   * What a certificate is requested for.
   *
   * @param key the public key of the member; its private key never leaves the member
   * @param hosts the names and addresses at which others reach the member, at most {@link
   *     #HOSTS_MAX}
   */
  record Wish(PublicKey key, List<String> hosts) {
    /** The greatest number of hosts. */
    public static final int HOSTS_MAX = 16;

    public Wish {
      requireNonNull(key, "key is null");
      hosts = List.copyOf(requireNonNull(hosts, "hosts is null"));
      if (hosts.size() > HOSTS_MAX) {
        throw new IllegalArgumentException(
            "a certificate for " + hosts.size() + " hosts is requested, limit " + HOSTS_MAX);
      }
    }
  }

  /**
   * What a member gets.
   *
   * @param certificate empty if the request had no wish
   * @param authorities the certificates that members trust, at most {@link #AUTHORITIES_MAX}
   */
  record Issued(Optional<X509Certificate> certificate, List<X509Certificate> authorities) {
    /** The greatest number of authorities that members trust at once. */
    public static final int AUTHORITIES_MAX = 16;

    public Issued {
      requireNonNull(certificate, "certificate is null");
      authorities = List.copyOf(requireNonNull(authorities, "authorities is null"));
      if (authorities.isEmpty() || authorities.size() > AUTHORITIES_MAX) {
        throw new IllegalArgumentException(
            "there are "
                + authorities.size()
                + " certificate authorities, must be 1 to "
                + AUTHORITIES_MAX);
      }
    }
  }

  /** A certificate cannot be signed; the message is for the member's log. */
  final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    public RefusedException(String message) {
      super(message);
    }

    public RefusedException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
