package dev.tarn.targetnode.backend;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.Abortable;

/**
 * The body of a backend's answer. Throws only {@link IOException}, and can be discarded before its
 * end.
 *
 * <p>With its last byte it also reads the end of the answer, because the connection is used again
 * only then.
 */
final class BackendBody extends FilterInputStream {
  private static final Logger LOG = LoggerFactory.getLogger(BackendBody.class);

  private long restBytes;
  private boolean ended;

  /**
   * A body of this length.
   *
   * @param lengthBytes as the backend declared it
   */
  BackendBody(InputStream body, long lengthBytes) {
    super(body);
    this.restBytes = lengthBytes;
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
      restBytes -= Math.max(count, 0);
      if (restBytes == 0 && !ended) {
        readEnd();
      }
      return count;
    } catch (SdkException e) {
      throw new IOException("Backend broke off its answer", e);
    }
  }

  private void readEnd() {
    try {
      ended = super.read(new byte[1], 0, 1) < 0;
    } catch (IOException e) {
      // All bytes have arrived: only the connection cannot be used again.
      LOG.debug("A backend's answer has no end: {}", e.getMessage());
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
