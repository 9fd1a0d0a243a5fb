package dev.tarn.transport.server;

import dev.tarn.fixtures.TestAuthority;
import dev.tarn.transport.tls.MemberTls;
import dev.tarn.transport.tls.TestIdentities;

final class TlsBytesContractTest extends HttpBindingContract {
  TlsBytesContractTest() {
    super(BodyForm.BYTES, new MemberTls(TestIdentities.of(new TestAuthority("cluster"))));
  }
}
