package dev.tarn.targetnode.backend;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.Abortable;

/**
 * The body of a backend's answer. Throws only {@link IOException}, and can be discarded before its
 * end.
 */
final class BackendBody extends FilterInputStream {
  private boolean ended;

  BackendBody(InputStream body) {
    super(body);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    try {
      int count = super.read(destination, offset, length);
      ended |= count < 0;
      return count;
    } catch (SdkException e) {
      throw new IOException("Backend broke off its answer", e);
    }
  }

  /**
   * Closes a body. If it was read to its end, its connection is used again; otherwise the
   * connection is closed.
   */
  static void giveUp(InputStream body) {
    if (body instanceof BackendBody own && own.isAtItsEnd()) {
      close(body);
      return;
    }
    if (body instanceof BackendBody own && own.in instanceof Abortable abortable) {
      abortable.abort(); // Also closes the connection.
      return;
    }
    close(body);
  }

  private boolean isAtItsEnd() {
    return ended;
  }

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Answer of a backend could not be closed", e);
    }
  }
}
