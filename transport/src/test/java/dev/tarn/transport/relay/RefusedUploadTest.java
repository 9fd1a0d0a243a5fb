package dev.tarn.transport.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest.Put;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A target that refuses an upload after it has begun to read the body. */
final class RefusedUploadTest {
  private static final int READ_BYTES = 1 << 20;

  private final Vertx vertx = Vertx.vertx();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void aRefusalDuringAnUploadEndsTheBodyAndTheConnection() throws IOException {
    try (ScriptedTarget target = new ScriptedTarget(this::refuse)) {
      HttpTarget http =
          new HttpTarget(
              new RelayClient(vertx, RelayLimits.DEFAULT),
              target.address(),
              new Capabilities(ClusterSecrets.of(new byte[32]), InstantSource.system()));
      EndlessBody body = new EndlessBody();
      CompletableFuture<Outcome<ObjectMetadata>> outcome =
          http.call(
                  new Put(
                      new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED),
                      ObjectKey.of("key"),
                      ObjectAttributes.NONE,
                      Set.of(),
                      Preconditions.NONE),
                  body)
              .toCompletableFuture();

      assertThat(outcome)
          .succeedsWithin(20, TimeUnit.SECONDS)
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed ->
                  assertThat(failed.failure())
                      .isInstanceOfSatisfying(
                          Failure.Unavailable.class,
                          failure -> assertThat(failure.message()).contains("503")));
      assertThat(body.cancelled).succeedsWithin(20, TimeUnit.SECONDS);
      assertThat(closed).succeedsWithin(20, TimeUnit.SECONDS);
    }
  }

  /** Answers after a part of the body; notes when the caller closes the connection. */
  private void refuse(int connection, InputStream in, OutputStream out) throws IOException {
    ScriptedTarget.takeProbe(in, out);
    in.skipNBytes(READ_BYTES);
    out.write("HTTP/1.1 503 No\r\ncontent-length: 3\r\n\r\nend".getBytes(ISO_8859_1));
    try {
      in.skipNBytes(Long.MAX_VALUE);
    } finally {
      closed.complete(null);
    }
  }

  /** Gives a buffer for each requested one, until it is cancelled. */
  private static final class EndlessBody implements IncomingBody {
    final CompletableFuture<Void> cancelled = new CompletableFuture<>();

    @Override
    public long length() {
      return UNKNOWN_LENGTH;
    }

    @Override
    public Flow.Publisher<ByteBuffer> bytes() {
      return subscriber ->
          subscriber.onSubscribe(
              new Flow.Subscription() {
                @Override
                public void request(long count) {
                  Thread.startVirtualThread(() -> subscriber.onNext(ByteBuffer.allocate(64 << 10)));
                }

                @Override
                public void cancel() {
                  cancelled.complete(null);
                }
              });
    }

    @Override
    public DeclaredDigests declaredDigests() {
      return DeclaredDigests.NONE;
    }
  }
}
