package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.target.OutgoingBody;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the bodies that are out, and insists that each is closed once. */
final class OpenBodies {
  private final AtomicInteger count = new AtomicInteger();

  int count() {
    return count.get();
  }

  OutgoingBody open(byte[] bytes, long offset, long length) {
    count.incrementAndGet();
    AtomicBoolean closed = new AtomicBoolean();
    return new OutgoingBody.Bytes(
        ByteBuffer.wrap(bytes, (int) offset, (int) length).slice().asReadOnlyBuffer(),
        () -> {
          if (!closed.compareAndSet(false, true)) {
            throw new IllegalStateException("body was closed twice");
          }
          count.decrementAndGet();
        });
  }
}
