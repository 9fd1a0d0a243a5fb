package dev.tarn.client.storage;

import dev.tarn.client.internal.http.HttpSender;
import dev.tarn.client.storage.ObjectReads.Body;
import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;

/**
 * A body that survives the loss of its connection. The rest is requested again under the ETag of
 * the first answer, so that the bytes of two versions never mix.
 */
final class RemoteStream extends RangeStream {
  private final ObjectReads reads;
  private final Attempts attempts;
  private volatile Body body;
  private volatile boolean closed;

  RemoteStream(ObjectReads reads, Body body, Attempts attempts) throws IOException {
    super(body.object(), new Range(body.start(), body.end()));
    this.reads = reads;
    this.attempts = attempts;
    this.body = body;
    if (isAtEnd()) {
      body.close(position());
    }
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (isAtEnd()) {
      return -1;
    }
    if (length == 0) {
      return 0;
    }
    while (true) {
      checkOpen();
      int count = readOnce(target, offset, leftOf(length));
      if (count > 0) {
        attempts.progressed();
        advance(count);
        if (isAtEnd()) {
          body.close(position());
        }
        return count;
      }
      reopen();
    }
  }

  /** Reads once; 0 if the connection broke and another attempt is allowed. */
  private int readOnce(byte[] target, int offset, int length) throws IOException {
    StorageUrl url = object().url();
    try {
      int count = body.bytes().read(target, offset, length);
      if (count > 0) {
        return count;
      }
      checkOpen();
      failed(
          new StorageException(
              Kind.TRUNCATED,
              url,
              "the answer ended at byte %d, expected %d bytes".formatted(position(), end())));
    } catch (StorageException e) {
      throw e;
    } catch (IOException e) {
      checkOpen();
      failed(
          new StorageException(
              Kind.TRUNCATED,
              url,
              "the answer broke off at byte %d, expected %d bytes: %s"
                  .formatted(position(), end(), HttpSender.reason(e)),
              e));
    }
    return 0;
  }

  private void failed(StorageException failure) throws IOException {
    body.bytes().abort();
    reads.brokeOff(object().url(), failure.what());
    String etag = object().etag();
    if (etag == null || etag.startsWith("W/")) {
      // Without a strong ETag the rest may be of another version.
      throw failure;
    }
    attempts.failed(failure);
  }

  private void reopen() throws IOException {
    while (true) {
      try {
        Body next = reads.get(object().url(), position(), end(), object().etag());
        body = next;
        if (closed) {
          next.bytes().abort();
        }
        return;
      } catch (StorageException e) {
        attempts.failed(e);
      }
    }
  }

  private void checkOpen() throws StorageException {
    if (closed) {
      throw new StorageException(Kind.INVALID, object().url(), "the stream is closed");
    }
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      // Cut and never drained, since another thread may be reading.
      body.bytes().abort();
    }
  }
}
