package dev.tarn.client.internal.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BackgroundStreamTest {
  private static final int AHEAD_BYTES = 4_096;

  private final ExecutorService executor = Executors.newSingleThreadExecutor();
  private final byte[] content = new byte[100_001];

  BackgroundStreamTest() {
    new Random(1).nextBytes(content);
  }

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  /** Tells who reads it and how far. */
  private static final class Watched extends InputStream {
    private final InputStream bytes;
    private final Thread reader = Thread.currentThread();
    private final AtomicBoolean readByOther = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicLong position = new AtomicLong();

    Watched(byte[] content) {
      bytes = new ByteArrayInputStream(content);
    }

    @Override
    public int read() {
      throw new AssertionError("read byte by byte");
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (Thread.currentThread().equals(reader)) {
        readByOther.set(true);
      }
      int count = bytes.read(target, offset, length);
      position.addAndGet(Math.max(0, count));
      return count;
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }

  @Test
  void readersThreadNeverReadsTheStreamBehind() throws IOException {
    Watched behind = new Watched(content);

    byte[] read = new BackgroundStream(executor, () -> behind, AHEAD_BYTES).readAllBytes();

    assertThat(read).isEqualTo(content);
    assertThat(behind.readByOther).isFalse();
    assertThat(behind.closed).isTrue();
  }

  @Test
  void noMoreIsReadAheadThanTheBound() throws IOException {
    Watched behind = new Watched(content);
    InputStream stream = new BackgroundStream(executor, () -> behind, AHEAD_BYTES);

    byte[] some = new byte[100];
    for (long read = 0; read < content.length; ) {
      // The piece at hand counts until it is empty.
      assertThat(behind.position.get()).isLessThanOrEqualTo(read + AHEAD_BYTES);
      read += stream.read(some);
    }
  }

  @Test
  void failureComesBehindTheBytesBeforeIt() throws IOException {
    IOException failure = new IOException("broken");
    InputStream broken =
        new InputStream() {
          private int left = 10;

          @Override
          public int read() throws IOException {
            if (left == 0) {
              throw failure;
            }
            return left--;
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            target[offset] = (byte) read();
            return 1;
          }
        };
    InputStream stream = new BackgroundStream(executor, () -> broken, 8);

    assertThat(stream.readNBytes(10)).containsExactly(10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
    assertThatThrownBy(stream::read).isSameAs(failure);
  }

  @Test
  void interruptionOfTheBackgroundEndsIt() {
    InputStream stream =
        new BackgroundStream(
            work ->
                executor.execute(() -> {
                  Thread.currentThread().interrupt();
                  work.run();
                }),
            () -> new ByteArrayInputStream(content),
            AHEAD_BYTES);

    assertThatThrownBy(stream::readAllBytes).hasMessageContaining("interrupted");
  }
}
