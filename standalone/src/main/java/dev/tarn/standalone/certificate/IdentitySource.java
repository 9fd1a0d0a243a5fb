package dev.tarn.standalone.certificate;

import dev.tarn.transport.tls.MemberIdentity;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;

/** Provides the identity of this member: from the cluster secret, or from files. */
public interface IdentitySource {
  /**
   * A new identity, if it is time for one. The first call has one.
   *
   * @throws IOException if files cannot be read or decoded
   * @throws IllegalArgumentException if no certificate can be signed for this member's hosts
   */
  Optional<MemberIdentity> renewed() throws IOException, GeneralSecurityException;
}
