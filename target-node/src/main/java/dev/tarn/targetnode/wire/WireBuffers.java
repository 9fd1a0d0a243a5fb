package dev.tarn.targetnode.wire;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;

/** Between the JDK's buffers and those of Vert.x. */
public final class WireBuffers {
  private WireBuffers() {}

  /** A buffer to write that shares these bytes; they must not change until it is written. */
  public static Buffer wrap(ByteBuffer... bytes) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
  }

  /** The bytes of a received buffer, shared. */
  public static ByteBuffer view(Buffer buffer) {
    return ((BufferInternal) buffer).getByteBuf().nioBuffer();
  }
}
