package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Bodies of which the first bytes are collected before the target is called. */
class CollectedBodiesTest {
  private final AtomicInteger uploads = new AtomicInteger();

  private final GatewayFixture gateway =
      new GatewayFixture(
          GatewayLimits.DEFAULT, target -> new CalledWhenBegun(target, uploads::incrementAndGet));

  @BeforeEach
  void createBucket() {
    gateway.createPublicBucket("collected");
  }

  @AfterEach
  void close() {
    gateway.close();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "100, 1",
    "5000, 7",
    "16383, 1000",
    "16384, 1000",
    "16385, 1000",
    "16385, 16384",
    "100000, 999",
    "300000, 100000",
    "16777216, 1048576",
  })
  void bodyThatArrivesInPiecesIsStoredWhole(int length, int piece) throws IOException {
    byte[] body = new byte[length];
    new Random(length).nextBytes(body);
    try (RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(head("Content-Length: " + length + "\r\n"));
      for (int sent = 0; sent < length; sent += piece) {
        byte[] next = new byte[Math.min(piece, length - sent)];
        System.arraycopy(body, sent, next, 0, next.length);
        connection.send(next);
      }

      assertThat(connection.receive().status()).isEqualTo(200);
    }
    assertStored(body);
    assertThat(uploads).hasValue(1);
  }

  @Test
  void clientThatWaitsForTheContinueResponseGetsIt() throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(head("Expect: 100-continue\r\nContent-Length: 5\r\n"));

      assertThat(connection.receive().status()).isEqualTo(100);
      assertThat(uploads).hasValue(0);
      assertThat(connection.send("whole").receive().status()).isEqualTo(200);
    }
    assertStored("whole".getBytes(ISO_8859_1));
  }

  @Test
  void bodyThatIsNoHttpIsRefusedWhileItIsCollected() throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(
          new HandSigner("127.0.0.1:" + gateway.port())
              .sign(
                  "PUT",
                  "/collected/k",
                  "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                  Map.of("x-amz-decoded-content-length", "9"))
              .with("Transfer-Encoding: chunked\r\n"));
      connection.send("1\r\na\r\n");
      RawResponse refused = connection.send("none\r\n").receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.closes()).isTrue();
    }
  }

  @Test
  void uploadWhoseClientLeavesBeforeItHasBegunNeverReachesTheTarget() throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(head("Content-Length: 5\r\n")).send("whol");
      while (inFlight() == 0) {
        Thread.onSpinWait();
      }
    }
    while (inFlight() > 0) {
      Thread.onSpinWait();
    }

    assertThat(uploads).hasValue(0);
  }

  @Test
  void bodyOfACallOnAnotherThreadIsSentWhenItHasBegun() {
    byte[] body = new byte[100_000];
    new Random(1).nextBytes(body);
    try (GatewayFixture other = new GatewayFixture(GatewayLimits.DEFAULT, AskedElsewhere::new);
        S3Client s3 = other.client(GatewayFixture.ALICE)) {
      other.createPublicBucket("collected");
      s3.putObject(put -> put.bucket("collected").key("k"), RequestBody.fromBytes(body));

      assertThat(s3.getObjectAsBytes(get -> get.bucket("collected").key("k")).asByteArray())
          .isEqualTo(body);
    }
  }

  private double inFlight() {
    return gateway.metrics().get("tarn.s3.requests.in.flight").gauge().value();
  }

  private void assertStored(byte[] body) {
    try (S3Client s3 = gateway.client(GatewayFixture.ALICE)) {
      assertThat(s3.getObjectAsBytes(get -> get.bucket("collected").key("k")).asByteArray())
          .isEqualTo(body);
    }
  }

  private String head(String headers) {
    return new HandSigner("127.0.0.1:" + gateway.port())
        .sign("PUT", "/collected/k", WireFixture.UNSIGNED, Map.of())
        .with(headers);
  }

  /** Is called for an upload when its body has begun, like a target in another process. */
  private static final class CalledWhenBegun extends ForwardingTarget {
    private final Runnable called;

    CalledWhenBegun(ObjectTarget target, Runnable called) {
      super(target);
      this.called = called;
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      if (!request.hasBody()) {
        return super.call(request, body);
      }
      return begun(body)
          .thenCompose(ready -> {
            called.run();
            return super.call(request, new ReadSlowly(body));
          });
    }
  }

  /** Asks again on a thread that is no event loop, like a call that waited for the cluster map. */
  private static final class AskedElsewhere extends ForwardingTarget {
    AskedElsewhere(ObjectTarget target) {
      super(target);
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      return request.hasBody()
          ? begunElsewhere(body).thenCompose(ready -> super.call(request, body))
          : super.call(request, body);
    }

    private static CompletableFuture<Void> begunElsewhere(IncomingBody body) {
      return CompletableFuture.completedFuture(body)
          .thenComposeAsync(CollectedBodiesTest::begun)
          .thenComposeAsync(ready ->
              body.hasBegun(() -> {})
                  ? CompletableFuture.completedFuture(null)
                  : CompletableFuture.failedFuture(
                      new IllegalStateException("the body has begun and denies it")));
    }
  }

  /** Completes when the body has begun. */
  private static CompletableFuture<Void> begun(IncomingBody body) {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    if (body.hasBegun(() -> begun.complete(null))) {
      begun.complete(null);
    }
    return begun;
  }

  /** A body of which the reader requests each buffer some time after the last one. */
  private record ReadSlowly(IncomingBody body) implements IncomingBody {
    @Override
    public long length() {
      return body.length();
    }

    @Override
    public DeclaredDigests declaredDigests() {
      return body.declaredDigests();
    }

    @Override
    public Flow.Publisher<ByteBuffer> bytes() {
      return receiver -> body.bytes().subscribe(new OneByOne(receiver));
    }
  }

  private static final class OneByOne implements Flow.Subscriber<ByteBuffer> {
    private static final Executor LATER =
        CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS);

    private final Flow.Subscriber<? super ByteBuffer> receiver;
    private boolean begun;

    OneByOne(Flow.Subscriber<? super ByteBuffer> receiver) {
      this.receiver = receiver;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      receiver.onSubscribe(
          new Flow.Subscription() {
            @Override
            public void request(long amount) {
              if (begun) {
                LATER.execute(() -> subscription.request(amount));
              } else {
                begun = true;
                subscription.request(amount);
              }
            }

            @Override
            public void cancel() {
              subscription.cancel();
            }
          });
    }

    @Override
    public void onNext(ByteBuffer bytes) {
      receiver.onNext(bytes);
    }

    @Override
    public void onError(Throwable failure) {
      receiver.onError(failure);
    }

    @Override
    public void onComplete() {
      receiver.onComplete();
    }
  }
}
