package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import software.amazon.awssdk.http.AbortableInputStream;

/**
 * Bytes of an object under way on a connection.
 *
 * @param object the whole object
 * @param bytes the connection's bytes
 * @param start the offset in the object of the first of them
 * @param end the offset after the last one that is wanted
 * @param sent the offset after the last one that the server sends
 */
record Body(StoredObject object, AbortableInputStream bytes, long start, long end, long sent) {
  /** Unread bytes up to which reading on is cheaper than a new connection. */
  private static final int DRAIN_BYTES_MAX = 16 * 1024;

  /**
   * Gives the connection back if little is unread, else cuts it. How the rest ends is no matter.
   */
  void close(long position) {
    if (sent - position <= DRAIN_BYTES_MAX) {
      try {
        bytes.close();
        return;
      } catch (IOException e) {
        // What was wanted has come.
      }
    }
    bytes.abort();
  }
}
