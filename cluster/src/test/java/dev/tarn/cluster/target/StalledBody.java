package dev.tarn.cluster.target;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/** A body that gives nothing and shows how much it was asked for at first. */
final class StalledBody implements IncomingBody {
  private final CompletableFuture<Long> firstRequest = new CompletableFuture<>();
  private final CompletableFuture<Flow.Subscriber<? super ByteBuffer>> subscriber =
      new CompletableFuture<>();

  CompletableFuture<Long> firstRequest() {
    return firstRequest.orTimeout(60, TimeUnit.SECONDS);
  }

  void fail(String message) {
    subscriber.join().onError(new IllegalStateException(message));
  }

  @Override
  public long length() {
    return UNKNOWN_LENGTH;
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    return newSubscriber -> {
      subscriber.complete(newSubscriber);
      newSubscriber.onSubscribe(
          new Flow.Subscription() {
            @Override
            public void request(long count) {
              firstRequest.complete(count);
            }

            @Override
            public void cancel() {}
          });
    };
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return DeclaredDigests.NONE;
  }
}
