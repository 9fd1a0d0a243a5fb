package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

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
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.RelayClient;
import dev.tarn.transport.relay.RelayLimits;
import dev.tarn.transport.tls.MemberTls;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** What a gateway's log says of calls that its targets do not take. */
@Timeout(60)
class FailedCallsLogTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.tarn.transport.relay");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Vertx vertx = Vertx.vertx();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void close() {
    logger.detachAppender(lines);
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private static CompletableFuture<? extends Outcome<?>> read(RelayClient client, int port) {
    HttpTarget target =
        new HttpTarget(
            client,
            new TargetAddress("127.0.0.1", port),
            new Capabilities(ClusterSecrets.of(new byte[32]), InstantSource.system()));
    CallScope scope = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
    return target
        .call(Head.ofWhole(scope, ObjectKey.of("k"), Optional.empty()))
        .toCompletableFuture();
  }

  @Test
  void closingWhileACallWaitsIsNoError() throws Exception {
    int freePort;
    try (ServerSocket socket = new ServerSocket(0)) {
      freePort = socket.getLocalPort();
    }
    RelayClient client =
        new RelayClient(vertx, RelayLimits.DEFAULT.withTargetWait(Duration.ofMinutes(1)));
    CompletableFuture<?> call = read(client, freePort);
    while (client.waitingCalls() == 0) {
      assertThat(call).isNotCompleted();
      Thread.onSpinWait();
    }
    vertx.close().toCompletionStage().toCompletableFuture().join();

    assertThat(lines.list)
        .extracting(ILoggingEvent::getLevel)
        .isNotEmpty()
        .doesNotContain(Level.ERROR);
  }

  @Test
  void failedHandshakeIsLoggedWithItsReasonAndNoMoreThanOnceAMinute() {
    int port =
        vertx
            .createHttpServer(LoneMember.tls().mutual(new HttpServerOptions()))
            .requestHandler(request -> request.response().end())
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
    Optional<MemberTls> tls = Optional.of(LoneMember.tls());
    RelayClient client =
        new RelayClient(vertx, RelayLimits.DEFAULT.withTargetWait(Duration.ZERO), address -> tls);

    int failed = 0;
    while (failed < 2) { // On a busy machine the target may be silent meanwhile.
      String outcome = read(client, port).join().toString();
      failed += outcome.contains("failed the TLS handshake; see the log of this gateway") ? 1 : 0;
    }

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(line -> line.contains("the TLS handshake"))
        .singleElement(STRING)
        .startsWith("target 127.0.0.1:" + port + " failed the TLS handshake (")
        .contains("(Signature does not match.)");
  }
}
