package dev.tarn.transport.body;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** Bytes in pooled memory that can be passed on without a copy. */
public interface PooledBytes extends Flow.Publisher<ByteBuffer> {
  /**
   * Like {@link #subscribe}, but the subscriber owns each buffer. The subscriber writes the buffer
   * once, which releases the memory, or calls {@link WireBuffers#release}.
   */
  void subscribeOwning(Flow.Subscriber<? super Buffer> subscriber);
}
