package dev.tarn.transport.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.fixtures.TestAuthority;
import dev.tarn.transport.tls.MemberTls;
import dev.tarn.transport.tls.TestIdentities;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectorTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void connectionWithoutASocketFailsOnItsEventLoop(boolean secured) {
    EventLoop loop = ((VertxInternal) vertx).nettyEventLoopGroup().next();
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channelFactory(() -> {
              throw new ChannelException("too many open files");
            })
            .remoteAddress("127.0.0.1", 1);
    Optional<MemberTls> tls =
        secured
            ? Optional.of(new MemberTls(TestIdentities.of(new TestAuthority("cluster"))))
            : Optional.empty();
    Connector connector = new Connector(bootstrap, new TargetAddress("127.0.0.1", 1), at -> tls);
    CompletableFuture<Boolean> failedOnLoop = new CompletableFuture<>();

    connector
        .connect(new ChannelInboundHandlerAdapter(), new FixedRecvByteBufAllocator(1024))
        .addListener(made -> failedOnLoop.complete(!made.isSuccess() && loop.inEventLoop()));

    assertThat(failedOnLoop.join()).isTrue();
  }
}
