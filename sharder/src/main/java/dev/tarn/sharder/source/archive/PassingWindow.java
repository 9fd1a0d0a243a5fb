package dev.tarn.sharder.source.archive;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * The last bytes of a stream that only goes forward: enough of them that several readers, each a
 * little ahead of or behind the others, find theirs. Not for several threads at once.
 */
final class PassingWindow implements Closeable {
  private static final int CAPACITY = 64 * 1024 * 1024;
  private static final int STEP = 64 * 1024;

  private final InputStream stream;
  private final byte[] ring = new byte[CAPACITY];
  private long end;
  private boolean ended;

  PassingWindow(InputStream stream) {
    this.stream = stream;
  }

  /** Whether a byte has not passed by yet. */
  boolean mayHold(long offset) {
    return offset >= end - CAPACITY;
  }

  /** Reads until the buffer is full or the stream ends. */
  int read(long offset, ByteBuffer target) throws IOException {
    int start = target.position();
    int wanted = Math.min(target.remaining(), CAPACITY / 2);
    while (end < offset + wanted && !ended) {
      advance();
    }
    int count = Math.clamp(end - offset, 0, wanted);
    for (int done = 0; done < count; ) {
      int from = (int) ((offset + done) % CAPACITY);
      int step = Math.min(count - done, CAPACITY - from);
      target.put(ring, from, step);
      done += step;
    }
    return target.position() - start;
  }

  private void advance() throws IOException {
    int at = (int) (end % CAPACITY);
    int read = stream.read(ring, at, Math.min(STEP, CAPACITY - at));
    ended = read < 0;
    end += Math.max(0, read);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
