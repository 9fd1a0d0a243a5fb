package dev.tarn.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ReadyLineTest {
  @Test
  void lineNamesThePlaceAndTheProcess() {
    assertThat(
            ReadyLine.parse("ready s3=http://127.0.0.1:9000 admin=http://127.0.0.1:9001 pid=7\n"))
        .hasValue(new ReadyLine(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9000), 7));
  }

  @Test
  void lineThatIsStillBeingWrittenIsNotReady() {
    assertThat(ReadyLine.parse("ready s3=http://127.0.0.1:9000 adm")).isEmpty();
  }
}
