package dev.tarn.transport.body;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;

/**
 * Converts between the buffers of the JDK, Netty and Vert.x. Only the methods that say so copy
 * bytes.
 */
public final class WireBuffers {
  private WireBuffers() {}

  /**
   * A buffer to write that shares these bytes. The bytes must not change until the buffer is
   * written.
   */
  public static Buffer wrap(ByteBuffer... bytes) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
  }

  /** The bytes of a received buffer, shared. */
  public static ByteBuffer view(Buffer buffer) {
    return ((BufferInternal) buffer).getByteBuf().nioBuffer();
  }

  /** A buffer to write once. Writing it returns the memory of these bytes to their pool. */
  public static Buffer owning(ByteBuf pooled) {
    return new Owning(pooled);
  }

  /** A copy in pooled direct memory, to write once. Writing it returns the memory to the pool. */
  public static Buffer pooledCopy(ByteBuffer bytes) {
    ByteBuf copy = PooledByteBufAllocator.DEFAULT.directBuffer(bytes.remaining());
    copy.writeBytes(bytes);
    return new Owning(copy);
  }

  /** Returns the memory of an owning buffer that will not be written. */
  public static void release(Buffer buffer) {
    ((BufferInternal) buffer).getByteBuf().release();
  }

  /** Returns the memory of a received buffer, if it was received into {@link ReceiveBuffers}. */
  public static void giveBack(Buffer received) {
    ByteBuf bytes = ((BufferInternal) received).unwrap();
    if (bytes.alloc() instanceof ReceiveBuffers) {
      bytes.release();
    }
  }

  /**
   * A buffer whose memory is released when it is written. Vert.x protects the pooled buffers that
   * it wraps from release, so their memory would leak.
   */
  private static final class Owning extends BufferImpl {
    Owning(ByteBuf pooled) {
      super(pooled);
    }

    /** The bytes themselves; the writer releases them. */
    @Override
    public ByteBuf getByteBuf() {
      return unwrap();
    }
  }
}
