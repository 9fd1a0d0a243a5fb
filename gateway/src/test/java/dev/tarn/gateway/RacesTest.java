package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

/** Writers that want the same key at the same time. */
class RacesTest {
  private static final int WRITERS = 32;

  @Test
  void onlyOneOfManyWritersOfANewKeySucceeds() throws Exception {
    try (GatewayFixture gateway = new GatewayFixture();
        S3Client s3 = gateway.client(GatewayFixture.ALICE);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      s3.createBucket(r -> r.bucket("races"));
      for (int round = 0; round < 10; round++) {
        String key = "key-" + round;
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        List<Future<Integer>> answers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
          answers.add(threads.submit(writer(gateway, key, "writer " + writer, start)));
        }
        String winner = "";
        int winners = 0;
        for (int writer = 0; writer < WRITERS; writer++) {
          int status = answers.get(writer).get();
          assertThat(status).isIn(200, 409, 412);
          if (status == 200) {
            winners++;
            winner = "writer " + writer;
          }
        }

        assertThat(winners).isEqualTo(1);
        assertThat(s3.getObjectAsBytes(r -> r.bucket("races").key(key)).asUtf8String())
            .isEqualTo(winner);
      }
    }
  }

  private static Callable<Integer> writer(
      GatewayFixture gateway, String key, String content, CyclicBarrier start) {
    Signed request =
        new HandSigner("127.0.0.1:" + gateway.port())
            .sign(
                "PUT",
                "/races/" + key,
                HandSigner.sha256(content.getBytes(UTF_8)),
                Map.of("if-none-match", "*"));
    return () -> {
      try (RawConnection connection = new RawConnection(gateway.port())) {
        start.await();
        return connection
            .send(request.with("Content-Length: " + content.length() + "\r\n"))
            .send(content)
            .receive()
            .status();
      }
    };
  }
}
