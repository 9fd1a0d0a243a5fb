package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.wire.WireVersions;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.RelayClient;
import dev.tarn.transport.relay.RelayLimits;
import io.vertx.core.Vertx;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** What the log says of calls that wait for a target. */
@Timeout(60)
class DeferredCallsLogTest {
  @Test
  void closingWhileACallWaitsIsNoError() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger("dev.tarn.transport.relay");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      int freePort;
      try (ServerSocket socket = new ServerSocket(0)) {
        freePort = socket.getLocalPort();
      }
      Vertx vertx = Vertx.vertx();
      RelayClient client =
          new RelayClient(vertx, RelayLimits.DEFAULT.withTargetWait(Duration.ofMinutes(1)));
      HttpTarget target =
          new HttpTarget(
              client,
              new TargetAddress("127.0.0.1", freePort),
              new Capabilities(ClusterSecrets.of(new byte[32]), InstantSource.system()),
              () -> WireVersions.SPOKEN,
              WireVersions.SPOKEN);
      CallScope scope = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
      CompletableFuture<?> call =
          target
              .call(Head.ofWhole(scope, ObjectKey.of("k"), Optional.empty()))
              .toCompletableFuture();
      while (client.waitingCalls() == 0) {
        assertThat(call).isNotCompleted();
        Thread.onSpinWait();
      }
      vertx.close().toCompletionStage().toCompletableFuture().join();

      assertThat(lines.list)
          .extracting(ILoggingEvent::getLevel)
          .isNotEmpty()
          .doesNotContain(Level.ERROR);
    } finally {
      logger.detachAppender(lines);
    }
  }
}
