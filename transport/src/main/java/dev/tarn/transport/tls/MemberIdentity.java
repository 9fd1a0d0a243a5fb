package dev.tarn.transport.tls;

import static java.util.Objects.requireNonNull;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The identity that a member shows to others, and the authorities that it trusts.
 *
 * @param key the private key of the chain's first certificate
 * @param chain the member's certificate, then those that lead to an authority; not empty
 * @param authorities sign the certificates of the members that this member trusts; not empty
 */
public record MemberIdentity(
    PrivateKey key, List<X509Certificate> chain, List<X509Certificate> authorities) {
  public MemberIdentity {
    requireNonNull(key, "key is null");
    chain = List.copyOf(requireNonNull(chain, "chain is null"));
    authorities = List.copyOf(requireNonNull(authorities, "authorities is null"));
    if (chain.isEmpty()) {
      throw new IllegalArgumentException(
          "chain is empty, must begin with the member's certificate");
    }
    if (authorities.isEmpty()) {
      throw new IllegalArgumentException("authorities is empty, must name at least one");
    }
    String algorithm = chain.get(0).getPublicKey().getAlgorithm();
    if (!algorithm.equals(key.getAlgorithm())) {
      throw new IllegalArgumentException(
          "key is for " + key.getAlgorithm() + ", but the certificate is for " + algorithm);
    }
  }

  @Override
  public String toString() {
    return "MemberIdentity[" + chain.get(0).getSubjectX500Principal() + "]";
  }
}
