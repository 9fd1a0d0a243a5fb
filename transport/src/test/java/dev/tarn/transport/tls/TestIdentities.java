package dev.tarn.transport.tls;

import dev.tarn.fixtures.TestAuthority;
import dev.tarn.fixtures.TestAuthority.Issued;
import java.util.List;

/** Identities of members for tests. */
public final class TestIdentities {
  private TestIdentities() {}

  /** An identity on this machine, whose authority is the only one that it trusts. */
  public static MemberIdentity of(TestAuthority authority) {
    return of(authority, authority.issueLocal());
  }

  /** An identity with this certificate, which trusts this authority alone. */
  public static MemberIdentity of(TestAuthority trusted, Issued issued) {
    return new MemberIdentity(issued.key(), List.of(issued.certificate()), trusted.alone());
  }
}
