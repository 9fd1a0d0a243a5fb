package dev.tarn.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartedServerTest {
  @ParameterizedTest
  @ValueSource(strings = {"s3", "target", "control"})
  void lineNamesThePlacesAndTheProcess(String door) {
    assertThat(
            StartedServer.parse(
                "ready " + door + "=http://127.0.0.1:9000 admin=http://127.0.0.1:9001 pid=7\n"))
        .hasValue(
            new StartedServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 9000),
                URI.create("http://127.0.0.1:9001"),
                7));
  }

  @Test
  void lineThatIsStillBeingWrittenIsNotReady() {
    assertThat(StartedServer.parse("ready s3=http://127.0.0.1:9000 adm")).isEmpty();
  }
}
