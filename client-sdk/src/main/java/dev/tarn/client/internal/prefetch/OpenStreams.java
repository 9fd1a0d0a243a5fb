package dev.tarn.client.internal.prefetch;

import dev.tarn.client.storage.ObjectStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** The streams that are open, so that closing can cut them under the threads that read them. */
final class OpenStreams {
  private final Set<ObjectStream> open = new HashSet<>();
  private boolean closed;

  /** Registers a stream; one that comes after the close is closed at once. */
  ObjectStream add(ObjectStream stream) throws IOException {
    synchronized (this) {
      if (!closed) {
        open.add(stream);
        return stream;
      }
    }
    stream.close();
    return stream;
  }

  /** Closes a stream that was read. */
  void close(ObjectStream stream) throws IOException {
    synchronized (this) {
      open.remove(stream);
    }
    stream.close();
  }

  /** Cuts all streams, those to come included. */
  void closeAll() {
    Set<ObjectStream> cut;
    synchronized (this) {
      closed = true;
      cut = Set.copyOf(open);
      open.clear();
    }
    for (ObjectStream stream : cut) {
      try {
        stream.close();
      } catch (IOException e) {
        // What is read no more may end in any way.
      }
    }
  }
}
