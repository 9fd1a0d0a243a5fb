package dev.tarn.sharder.source.archive;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The latest bytes of a forward-only stream: a ring of 64 MiB. Several readers can read from it if
 * they are close to each other. Not thread-safe.
 */
final class PassingWindow implements Closeable {
  private static final int CAPACITY = 64 * 1024 * 1024;
  private static final int PART = 1024 * 1024;
  private static final int STEP = 64 * 1024;

  private final InputStream stream;

  /** The ring in parts, which are allocated when first reached. */
  private final byte[] @Nullable [] ring = new byte[CAPACITY / PART][];

  private final AtomicInteger parts = new AtomicInteger();
  private long end;
  private boolean ended;

  PassingWindow(InputStream stream) {
    this.stream = stream;
  }

  /** Returns its memory in bytes. */
  long bytes() {
    return (long) parts.get() * PART;
  }

  /** Returns whether the window has not passed an offset yet. */
  boolean mayHold(long offset) {
    return offset >= end - CAPACITY;
  }

  /** Reads until the buffer is full or the stream ends, but at most half of the ring. */
  int read(long offset, ByteBuffer target) throws IOException {
    int start = target.position();
    int wanted = Math.min(target.remaining(), CAPACITY / 2);
    while (end < offset + wanted && !ended) {
      advance();
    }
    int count = Math.clamp(end - offset, 0, wanted);
    for (int done = 0; done < count; ) {
      int from = (int) ((offset + done) % CAPACITY);
      int step = Math.min(count - done, PART - from % PART);
      target.put(part(from), from % PART, step);
      done += step;
    }
    return target.position() - start;
  }

  private void advance() throws IOException {
    int at = (int) (end % CAPACITY);
    int read = stream.read(part(at), at % PART, Math.min(STEP, PART - at % PART));
    ended = read < 0;
    end += Math.max(0, read);
  }

  private byte[] part(int at) {
    byte[] part = ring[at / PART];
    if (part == null) {
      part = new byte[PART];
      ring[at / PART] = part;
      parts.incrementAndGet();
    }
    return part;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
