package dev.tarn.targetnode.local;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** Cancels a body without reading it. */
public final class RefusedBody implements Flow.Subscriber<ByteBuffer> {
  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.cancel();
  }

  @Override
  public void onNext(ByteBuffer bytes) {}

  @Override
  public void onError(Throwable cause) {}

  @Override
  public void onComplete() {}
}
