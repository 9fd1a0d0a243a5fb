package dev.tarn.standalone;

import dev.tarn.fixtures.TestAuthority;
import dev.tarn.fixtures.TestAuthority.Issued;
import dev.tarn.transport.tls.MemberIdentity;
import dev.tarn.transport.tls.MemberTls;
import java.util.List;

/** A member of a cluster that nobody else belongs to. */
final class LoneMember {
  private LoneMember() {}

  /** The TLS of a member on this machine, with an authority of its own. */
  static MemberTls tls() {
    TestAuthority authority = new TestAuthority("cluster");
    Issued issued = authority.issueLocal();
    return new MemberTls(
        new MemberIdentity(issued.key(), List.of(issued.certificate()), authority.alone()));
  }
}
