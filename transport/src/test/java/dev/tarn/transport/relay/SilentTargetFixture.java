package dev.tarn.transport.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.TargetRequest;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A target that stops answering, clients that call it, and readers of its replies. Time passes when
 * a test says so.
 */
abstract class SilentTargetFixture {
  static final Duration WAIT = Duration.ofSeconds(5);
  static final Duration QUIET = Duration.ofMillis(300);
  static final Duration PROBES_UNANSWERED = Duration.ofMillis(1400);

  /** A step of time that does not look like a delay of the gateway. */
  static final long STEP_MS = TargetHealth.TICK_MS;

  /** With one event loop, whose steps have one order. */
  final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  final AtomicLong nanos = new AtomicLong();
  final RelayClient client = client(WAIT, 256, 512);
  StoppableTarget target;

  @BeforeEach
  void start() throws IOException {
    target = new StoppableTarget();
  }

  @AfterEach
  void close() throws IOException {
    target.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  /** Lets so much time pass that the calls in flight show that the target is silent. */
  void untilSilent(RelayClient caller) throws InterruptedException {
    target.awaitCalls(1);
    pass(QUIET);
    target.awaitProbes(1);
    passInTicks(PROBES_UNANSWERED);
    until(() -> caller.isSilent(target.address()));
  }

  /** Lets time pass in steps. After each step, the event loop gets to its timers. */
  void passInTicks(Duration time) {
    for (long ms = 0; ms < time.toMillis(); ms += STEP_MS) {
      pass(Duration.ofMillis(STEP_MS));
      vertx.timer(TargetHealth.TICK_MS).toCompletionStage().toCompletableFuture().join();
    }
  }

  /** Lets time pass in steps until so many probes have arrived since the start. */
  void passUntilProbed(int count, Duration step) {
    while (target.probes() < count) {
      pass(step);
      vertx.timer(TargetHealth.TICK_MS).toCompletionStage().toCompletableFuture().join();
    }
  }

  /** Ends when the call's reply and its body, if any, have arrived. */
  static CompletableFuture<?> whole(CompletableFuture<Outcome<RelayReply>> call) {
    return call.thenCompose(outcome -> {
      OutgoingBody body = ((Outcome.Success<RelayReply>) outcome).value().body();
      EndOfBody end = new EndOfBody();
      if (body instanceof OutgoingBody.Stream stream) {
        stream.publisher().subscribe(end);
      } else {
        end.onComplete();
      }
      return end.ended;
    });
  }

  void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  static void until(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("waited in vain");
      }
      Thread.onSpinWait();
    }
  }

  static void isUnavailable(CompletableFuture<Outcome<RelayReply>> call, String problem) {
    assertThat(failure(call))
        .isInstanceOfSatisfying(
            Failure.Unavailable.class,
            unavailable -> assertThat(unavailable.message()).contains(problem));
  }

  static Failure failure(CompletableFuture<Outcome<RelayReply>> call) {
    return ((Outcome.Failed<RelayReply>) call.join()).failure();
  }

  RelayClient client(Duration wait, int targetWaitingMax, int unansweredMax) {
    return client(wait, targetWaitingMax, unansweredMax, Duration.ofMinutes(2));
  }

  RelayClient client(Duration wait, int targetWaitingMax, int unansweredMax, Duration timeout) {
    RelayLimits usual = RelayLimits.DEFAULT;
    RelayLimits limits =
        new RelayLimits(
            usual.connectionsMax(),
            usual.waitingMax(),
            usual.waitMax(),
            wait,
            targetWaitingMax,
            unansweredMax,
            timeout,
            timeout);
    return new RelayClient(vertx, limits, nanos::get);
  }

  CompletableFuture<Outcome<RelayReply>> call(RelayClient caller, boolean repeatable) {
    return call(
        caller,
        target.address(),
        repeatable ? ScriptedTarget.read(Deadline.NONE) : ScriptedTarget.change(Deadline.NONE));
  }

  static CompletableFuture<Outcome<RelayReply>> call(
      RelayClient caller, TargetAddress address, TargetRequest<?> request) {
    return caller
        .call(address, new RelayRequest(request, () -> "none", Optional.empty()))
        .toCompletableFuture();
  }

  /** Requests a whole body and waits for its end. */
  static final class EndOfBody implements Flow.Subscriber<ByteBuffer> {
    final CompletableFuture<Void> requested = new CompletableFuture<>();
    final CompletableFuture<Void> ended = new CompletableFuture<>();

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
      requested.complete(null);
    }

    @Override
    public void onNext(ByteBuffer bytes) {}

    @Override
    public void onError(Throwable failure) {
      ended.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      ended.complete(null);
    }
  }

  /** Takes one buffer of a body at a time. */
  static final class SlowReader implements Flow.Subscriber<ByteBuffer> {
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private final Semaphore taken = new Semaphore(0);

    void readOne() throws InterruptedException {
      subscription.join().request(1);
      taken.acquire();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscribed) {
      subscription.complete(subscribed);
    }

    @Override
    public void onNext(ByteBuffer bytes) {
      taken.release();
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onComplete() {}
  }
}
