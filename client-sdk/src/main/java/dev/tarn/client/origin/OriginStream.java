package dev.tarn.client.origin;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;

/**
 * A stream of an object at Tarn, whose bytes come from Tarn or the origin. If Tarn cannot serve the
 * rest, the rest comes from the origin.
 */
final class OriginStream extends ObjectStream {
  private final OriginStorage storage;
  private volatile StoredObject object;
  private volatile ObjectStream current;
  private volatile boolean closed;

  /** Whether the current stream is of the origin. */
  private boolean fromOrigin;

  /**
   * Makes a stream.
   *
   * @param object at Tarn
   * @param fromOrigin whether the current stream is of the origin
   */
  OriginStream(
      OriginStorage storage, StoredObject object, ObjectStream current, boolean fromOrigin) {
    this.storage = storage;
    this.object = requireNonNull(object, "object is null");
    this.current = requireNonNull(current, "current is null");
    this.fromOrigin = fromOrigin;
  }

  @Override
  public StoredObject object() {
    return object;
  }

  @Override
  public long position() {
    return current.position();
  }

  @Override
  public long end() {
    return current.end();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    try {
      return current.read(target, offset, length);
    } catch (StorageException e) {
      if (closed || fromOrigin) {
        throw e;
      }
      ObjectStream rest = storage.rest(current, e);
      fromOrigin = true;
      ObjectStream broken = current;
      object = storage.atTarn(object.url(), rest.object());
      current = rest;
      broken.close();
      if (closed) {
        rest.close();
      }
      return rest.read(target, offset, length);
    }
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    current.close();
  }
}
