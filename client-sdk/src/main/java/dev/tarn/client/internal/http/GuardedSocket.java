package dev.tarn.client.internal.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * A socket that can bound how many bytes a server sends, and for how long. A socket's own timeout
 * bounds each read alone, so that a byte now and then would make a reader wait for ever. For one
 * thread.
 */
final class GuardedSocket extends Socket {
  private long bytesMax;
  private long bytesLeft;
  private long startNanos;
  private Duration timeMax = Duration.ZERO;
  private boolean isBounded;

  /** Bounds the bytes and the time from now on; the read that reaches the bound may exceed it. */
  void bound(long bytes, Duration time) {
    bytesMax = bytes;
    bytesLeft = bytes;
    timeMax = time;
    startNanos = System.nanoTime();
    isBounded = true;
  }

  /** Ends the bound. */
  void unbound() {
    isBounded = false;
  }

  private void check() throws IOException {
    if (isBounded && bytesLeft <= 0) {
      throw new IOException("more than %d bytes and still not its end".formatted(bytesMax));
    }
    if (isBounded && System.nanoTime() - startNanos > timeMax.toNanos()) {
      throw new SocketTimeoutException("not at its end after %d ms".formatted(timeMax.toMillis()));
    }
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new FilterInputStream(super.getInputStream()) {
      @Override
      public int read() throws IOException {
        check();
        bytesLeft--;
        return super.read();
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        check();
        int count = super.read(target, offset, length);
        bytesLeft -= Math.max(0, count);
        return count;
      }
    };
  }
}
