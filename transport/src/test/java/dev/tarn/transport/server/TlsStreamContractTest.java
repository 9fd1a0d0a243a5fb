package dev.tarn.transport.server;

import dev.tarn.fixtures.TestAuthority;
import dev.tarn.transport.tls.MemberTls;
import dev.tarn.transport.tls.TestIdentities;

final class TlsStreamContractTest extends HttpBindingContract {
  TlsStreamContractTest() {
    super(BodyForm.STREAM, new MemberTls(TestIdentities.of(new TestAuthority("cluster"))));
  }
}
