package dev.tarn.transport.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** A blocking source whose reader stalls. */
final class ChunkPublisherTest {
  private static final int LENGTH = 1000;

  @Test
  void sourceIsToldThatNobodyTakesItsBytesAndGoesOnLater() throws Exception {
    CountDownLatch idle = new CountDownLatch(1);
    ChunkSource source =
        new ChunkSource() {
          private int left = LENGTH;

          @Override
          public boolean read(ByteBuffer destination) {
            while (left > 0 && destination.hasRemaining()) {
              destination.put((byte) left--);
            }
            return destination.position() > 0;
          }

          @Override
          public void idle() {
            idle.countDown();
          }
        };
    CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    CompletableFuture<Integer> taken = new CompletableFuture<>();
    new ChunkPublisher(source, LENGTH, Thread::startVirtualThread, Duration.ofMillis(1))
        .subscribe(
            new Flow.Subscriber<>() {
              private int count;

              @Override
              public void onSubscribe(Flow.Subscription given) {
                subscription.complete(given);
              }

              @Override
              public void onNext(ByteBuffer bytes) {
                count += bytes.remaining();
              }

              @Override
              public void onError(Throwable cause) {
                taken.completeExceptionally(cause);
              }

              @Override
              public void onComplete() {
                taken.complete(count);
              }
            });

    idle.await();
    subscription.get().request(Long.MAX_VALUE);

    assertThat(taken.get()).isEqualTo(LENGTH);
  }
}
