package dev.tarn.gateway;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** Gives zeros as long as somebody asks. */
record EndlessBytes(Flow.Subscriber<? super ByteBuffer> subscriber) implements Flow.Subscription {
  private static final int BUFFER_BYTES = 100_000;

  @Override
  public void request(long amount) {
    Thread.startVirtualThread(() -> subscriber.onNext(ByteBuffer.allocate(BUFFER_BYTES)));
  }

  @Override
  public void cancel() {}
}
