package dev.tarn.transport.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** Bodies whose source blocks. */
final class ChunkPublisherTest {
  private static final int LENGTH = 1000;

  /** Counts the bytes of a body. */
  private static final class Counter implements Flow.Subscriber<ByteBuffer> {
    private final CompletableFuture<Flow.Subscription> subscription;
    private final CompletableFuture<Integer> taken;
    private int count;

    Counter(CompletableFuture<Flow.Subscription> subscription, CompletableFuture<Integer> taken) {
      this.subscription = subscription;
      this.taken = taken;
    }

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
  }

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
    new ChunkPublisher(
            source, LENGTH, new DirectBuffers(1), Thread::startVirtualThread, Duration.ofMillis(1))
        .subscribe(new Counter(subscription, taken));

    idle.await();
    subscription.get().request(Long.MAX_VALUE);

    assertThat(taken.get()).isEqualTo(LENGTH);
  }

  /** Memory that each body takes anew is freed only by a collection of all garbage. */
  @Test
  void bodiesOneAfterAnotherTakeTheSameMemory() throws Exception {
    DirectBuffers buffers = new DirectBuffers(1);
    List<ByteBuffer> used = new ArrayList<>();
    for (int body = 0; body < 3; body++) {
      CompletableFuture<Integer> done = new CompletableFuture<>();
      ChunkSource source =
          destination -> {
            used.add(destination);
            if (used.size() == 2) {
              throw new IOException("the second body fails");
            }
            return false;
          };
      new ChunkPublisher(source, LENGTH, buffers, Runnable::run)
          .subscribe(new Counter(new CompletableFuture<>(), done));
      done.exceptionally(failure -> 0).get();
    }

    assertThat(used).hasSize(3).allSatisfy(each -> assertThat(each).isSameAs(used.getFirst()));
  }
}
