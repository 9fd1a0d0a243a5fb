package dev.tarn.client.origin;

import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import java.time.Duration;
import java.util.List;

/**
 * Is notified when reads go to the {@link DataOrigin} instead of Tarn. The calls come from the
 * threads that read, and from one that asks whether Tarn is back; they must return quickly.
 */
public interface OriginListener {
  /** Hears nothing. */
  OriginListener NONE = new OriginListener() {};

  /** Tells several listeners. */
  static OriginListener all(List<? extends OriginListener> listeners) {
    List<OriginListener> all = List.copyOf(listeners);
    return new OriginListener() {
      @Override
      public void originBegun(StorageException cause) {
        all.forEach(listener -> listener.originBegun(cause));
      }

      @Override
      public void originRead(StorageUrl url) {
        all.forEach(listener -> listener.originRead(url));
      }

      @Override
      public void originEnded(Duration lasted) {
        all.forEach(listener -> listener.originEnded(lasted));
      }
    };
  }

  /**
   * Tarn could not serve a read after its retries, and reads go to the origin from now on.
   *
   * @param cause names the object and the reason
   */
  default void originBegun(StorageException cause) {}

  /**
   * The origin serves a read: an object, a part of it, or the rest of a part.
   *
   * @param url of the object at Tarn
   */
  default void originRead(StorageUrl url) {}

  /**
   * Tarn serves reads again.
   *
   * @param lasted the time since {@link #originBegun}
   */
  default void originEnded(Duration lasted) {}
}
