package dev.tarn.cluster.target;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** A body of no bytes, without declared digests. */
record EmptyBody() implements IncomingBody {
  @Override
  public long length() {
    return 0;
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    return subscriber -> {
      subscriber.onSubscribe(new NothingToRequest());
      subscriber.onComplete();
    };
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return DeclaredDigests.NONE;
  }

  private record NothingToRequest() implements Flow.Subscription {
    @Override
    public void request(long count) {}

    @Override
    public void cancel() {}
  }
}
