package dev.tarn.targetnode.backend;

import dev.tarn.targetnode.backend.Backend.BackendRead;
import java.io.EOFException;
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
 * end. If the backend breaks it off, the rest is requested again.
 *
 * <p>With its last byte it also reads the end of the answer, because the connection is used again
 * only then.
 */
final class BackendBody extends FilterInputStream {
  private static final Logger LOG = LoggerFactory.getLogger(BackendBody.class);

  private static final int RESUMPTIONS_MAX = 2;

  private final Resuming resuming;
  private int resumptions;
  private long doneBytes;
  private long restBytes;
  private boolean ended;

  /** Requests the rest of a body that was broken off. */
  interface Resuming {
    /**
     * Returns the bytes from an offset of the body on.
     *
     * @throws RuntimeException if that is not possible
     */
    BackendRead from(long offset);
  }

  /**
   * A body of this length.
   *
   * @param lengthBytes as the backend declared it
   */
  BackendBody(InputStream body, long lengthBytes, Resuming resuming) {
    super(body);
    this.restBytes = lengthBytes;
    this.resuming = resuming;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    while (true) {
      try {
        return readSome(destination, offset, length);
      } catch (IOException e) {
        resume(e);
      }
    }
  }

  private int readSome(byte[] destination, int offset, int length) throws IOException {
    try {
      int count = super.read(destination, offset, length);
      if (count < 0 && restBytes > 0) {
        throw new EOFException("The backend's answer ended " + restBytes + " bytes early");
      }
      ended |= count < 0;
      doneBytes += Math.max(count, 0);
      restBytes -= Math.max(count, 0);
      if (restBytes == 0 && !ended) {
        readEnd();
      }
      return count;
    } catch (SdkException e) {
      throw new IOException("Backend broke off its answer", e);
    }
  }

  private void resume(IOException cause) throws IOException {
    resumptions++;
    if (resumptions > RESUMPTIONS_MAX) {
      throw cause;
    }
    BackendRead rest;
    try {
      rest = resuming.from(doneBytes);
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
      throw cause;
    }
    LOG.debug("A backend's answer is resumed at byte {}", doneBytes, cause);
    giveUp(in);
    in = rest.body() instanceof BackendBody body ? body.in : rest.body();
    restBytes = rest.length();
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
    if (body instanceof BackendBody own) {
      giveUp(own.in);
    } else if (body instanceof Abortable abortable) {
      abortable.abort(); // Also closes the connection.
    } else {
      close(body);
    }
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
