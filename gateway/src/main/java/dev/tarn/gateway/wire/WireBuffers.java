package dev.tarn.gateway.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;

/** Between the JDK's buffers and those of Vert.x. */
public final class WireBuffers {
  private WireBuffers() {}

  /** A buffer to write that shares these bytes; they must not change until it is written. */
  public static Buffer wrap(ByteBuffer bytes) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
  }

  /** The bytes of a received buffer, shared. */
  public static ByteBuffer view(Buffer buffer) {
    return ((BufferInternal) buffer).getByteBuf().nioBuffer();
  }

  /** A copy in pooled direct memory, to be written once: writing it gives it back to the pool. */
  public static Buffer pooledCopy(ByteBuffer bytes) {
    ByteBuf copy = PooledByteBufAllocator.DEFAULT.directBuffer(bytes.remaining());
    copy.writeBytes(bytes);
    return new PooledBuffer(copy);
  }

  /** Gives back a pooled copy that will not be written. */
  public static void release(Buffer buffer) {
    ((BufferInternal) buffer).getByteBuf().release();
  }

  /** Gives the memory of a received buffer back, if it was received into {@link ReceiveBuffers}. */
  public static void giveBack(Buffer received) {
    ByteBuf bytes = ((BufferInternal) received).unwrap();
    if (bytes.alloc() instanceof ReceiveBuffers) {
      bytes.release();
    }
  }
}
