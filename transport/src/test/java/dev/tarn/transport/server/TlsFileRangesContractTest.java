package dev.tarn.transport.server;

import dev.tarn.fixtures.TestAuthority;
import dev.tarn.transport.tls.MemberTls;
import dev.tarn.transport.tls.TestIdentities;

final class TlsFileRangesContractTest extends HttpBindingContract {
  TlsFileRangesContractTest() {
    super(BodyForm.FILE_RANGES, new MemberTls(TestIdentities.of(new TestAuthority("cluster"))));
  }
}
