package dev.tarn.transport.body;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The memory that large bodies are received into. Vert.x copies every pooled buffer to the heap,
 * because it cannot tell when the reader is finished with the buffer. Vert.x passes the buffers of
 * this class on without a copy, and the body's reader gives them back. The garbage collector frees
 * a buffer that Vert.x drops when a connection ends; that buffer is not reused.
 *
 * <p>Buffers for small reads, and buffers beyond the limit, come from Netty's pool and are copied.
 */
public final class ReceiveBuffers extends AbstractByteBufAllocator {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int COUNT_MAX = 512;
  private static final Cleaner CLEANER = Cleaner.create();
  private static final ReceiveBuffers SHARED = new ReceiveBuffers();

  private final Deque<Lent> free = new ArrayDeque<>();
  private final AtomicInteger made = new AtomicInteger();

  private ReceiveBuffers() {
    super(true);
  }

  /** Receives the connection's large reads into these buffers. */
  public static void use(HttpConnection connection) {
    ((VertxConnection) connection).channel().config().setAllocator(SHARED);
  }

  /** The number of buffers that readers hold now. */
  public static int inUse() {
    synchronized (SHARED.free) {
      return SHARED.made.get() - SHARED.free.size();
    }
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return PooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    Lent lent =
        initialCapacity > BUFFER_BYTES / 2 && initialCapacity <= BUFFER_BYTES ? take() : null;
    return lent == null
        ? PooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity)
        : lent;
  }

  @Override
  public boolean isDirectBufferPooled() {
    return true;
  }

  private @Nullable Lent take() {
    synchronized (free) {
      Lent reused = free.poll();
      if (reused != null) {
        reused.reset();
        return reused;
      }
    }
    if (made.incrementAndGet() > COUNT_MAX) {
      made.decrementAndGet();
      return null;
    }
    Lent lent = new Lent(ByteBuffer.allocateDirect(BUFFER_BYTES));
    CLEANER.register(lent, made::decrementAndGet);
    return lent;
  }

  private void giveBack(Lent lent) {
    synchronized (free) {
      free.push(lent);
    }
  }

  /** A buffer that becomes free again when its last holder releases it. */
  private final class Lent extends UnpooledDirectByteBuf {
    Lent(ByteBuffer memory) {
      super(ReceiveBuffers.this, memory, BUFFER_BYTES);
      clear();
    }

    void reset() {
      resetRefCnt();
      clear();
    }

    @Override
    protected void deallocate() {
      giveBack(this);
    }
  }
}
