package dev.tarn.transport.body;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** Bytes in pooled memory that can be passed on without a copy. */
public interface PooledBytes extends Flow.Publisher<ByteBuffer> {
  /**
   * As {@link #subscribe}, but each buffer is the subscriber's own: it is written once, which gives
   * its memory back, or given to {@link WireBuffers#release}.
   */
  void subscribeOwning(Flow.Subscriber<? super Buffer> subscriber);
}
