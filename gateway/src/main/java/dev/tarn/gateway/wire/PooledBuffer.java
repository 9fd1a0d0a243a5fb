package dev.tarn.gateway.wire;

import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.impl.BufferImpl;

/**
 * A buffer of pooled memory that is given back once it has been written. What Vert.x itself makes
 * of a pooled buffer shields it from being released, so that its memory would never come back.
 */
final class PooledBuffer extends BufferImpl {
  PooledBuffer(ByteBuf pooled) {
    super(pooled);
  }

  /** The bytes themselves, for whoever writes and then releases them. */
  @Override
  public ByteBuf getByteBuf() {
    return unwrap();
  }
}
