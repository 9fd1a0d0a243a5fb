package dev.tarn.transport.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.DefaultEventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deferred calls whose callers defer another call while the first one ends or is sent. */
@Timeout(60)
class DeferredCallsTest {
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final AtomicLong nanos = new AtomicLong();
  private final TargetHealth.Totals totals = new TargetHealth.Totals();
  private final BlockingQueue<PendingCall> sent = new LinkedBlockingQueue<>();
  private final BlockingQueue<PendingCall> givenUp = new LinkedBlockingQueue<>();
  private final DeferredCalls deferred =
      new DeferredCalls(loop, limits(), nanos::get, health(), this::send, this::giveUp);
  private boolean awayAgain;

  @AfterEach
  void close() {
    var _ = loop.shutdownGracefully(0, 10, TimeUnit.SECONDS);
  }

  @Test
  void callerOfACallThatWaitedTooLongMayDeferTheNextCall() throws Exception {
    List<PendingCall> late = List.of(call(), call(), call());
    loop.submit(
            () -> {
              late.forEach(this::defer);
              nanos.set(WAIT.toNanos());
            })
        .sync();

    for (PendingCall call : late) {
      assertThat(givenUp.take()).isSameAs(call);
    }
    for (int i = 0; i < late.size(); i++) {
      assertThat(sent.take().sinceNanos()).isEqualTo(WAIT.toNanos());
    }
    loop.submit(() -> assertThat(totals.waiting()).hasValue(0)).sync();
    assertThat(givenUp).isEmpty();
  }

  @Test
  void targetThatGoesAwayAgainDefersTheCallsThatWereSent() throws Exception {
    awayAgain = true;
    List<PendingCall> calls = List.of(call(), call(), call());
    loop.submit(
            () -> {
              calls.forEach(this::defer);
              deferred.targetIsThere();
              awayAgain = false;
              assertThat(sent).containsExactlyElementsOf(calls);
              assertThat(totals.waiting()).hasValue(3);
              sent.clear();
            })
        .sync();

    for (PendingCall call : calls) {
      assertThat(sent.take()).isSameAs(call);
    }
  }

  private void defer(PendingCall call) {
    deferred.add(call, "did not answer");
  }

  private void send(PendingCall call) {
    sent.add(call);
    if (awayAgain) {
      defer(call);
    }
  }

  private void giveUp(PendingCall call, String problem) {
    givenUp.add(call);
    call.fail(new Failure.Unavailable(problem));
    defer(call());
  }

  private PendingCall call() {
    RelayRequest request =
        new RelayRequest(ScriptedTarget.read(Deadline.NONE), () -> "none", Optional.empty());
    return new PendingCall(request, new CompletableFuture<>(), nanos.get(), false);
  }

  private TargetHealth health() {
    TargetAddress address = new TargetAddress("127.0.0.1", 1);
    return new TargetHealth(
        new Connector(new Bootstrap().group(loop), address, to -> Optional.empty()),
        limits(),
        nanos::get,
        totals);
  }

  private static RelayLimits limits() {
    return RelayLimits.DEFAULT.withTargetWait(WAIT);
  }
}
