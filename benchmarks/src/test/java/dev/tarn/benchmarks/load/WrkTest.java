package dev.tarn.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrkTest {
  private static final int LARGE_BYTES = 64 << 20;

  private final Requests requests =
      Requests.unsigned(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));

  @Test
  void resultIsFoundInTheOutput() throws IOException {
    assertThat(Wrk.result("Running 1s test\nanswers 1200 micros 1000500 failures 0\n"))
        .isEqualTo(new LoadResult(1200, 1_000_500_000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "answers 1200 micros 1000500 failures 1",
        "answers 0 micros 1000500 failures 0",
        "unable to connect to 127.0.0.1:1 Connection refused"
      })
  void loadWithFailuresOrWithoutAnswersHasNoResult(String output) {
    assertThatThrownBy(() -> Wrk.result(output))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(output);
  }

  @Test
  void requestsThatWrkWouldDistortOrWaitForAreLeftToTheOtherClient() {
    PreparedRequest small = requests.get("/key", Expectation.body(8192, 1));
    PreparedRequest list = requests.get("/", "list-type=2", Expectation.status(200));
    PreparedRequest largeGet = requests.get("/key", Expectation.body(LARGE_BYTES, 1));
    PreparedRequest largePut =
        requests.put(
            "/key",
            ByteBuffer.allocateDirect(LARGE_BYTES),
            PayloadHash.UNSIGNED,
            Expectation.status(200));

    assertThat(Wrk.canSend(List.of(small, list))).isTrue();
    assertThat(Wrk.canSend(List.of(requests.head("/key", Expectation.body(0, 0))))).isTrue();
    assertThat(Wrk.canSend(List.of(small, requests.head("/key", Expectation.body(8192, 0)))))
        .isFalse();
    assertThat(Wrk.canSend(List.of(largeGet))).isFalse();
    assertThat(Wrk.canSend(List.of(largePut))).isFalse();
  }
}
