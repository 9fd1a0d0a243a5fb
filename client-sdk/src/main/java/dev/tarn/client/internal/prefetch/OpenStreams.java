package dev.tarn.client.internal.prefetch;

import dev.tarn.client.storage.ObjectStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** The open streams, which a close cuts while threads read them. */
final class OpenStreams {
  private final Set<ObjectStream> open = new HashSet<>();
  private boolean closed;

  /** Registers a stream; closes it immediately after {@link #closeAll}. */
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

  /** Closes a stream whose reading has ended. */
  void close(ObjectStream stream) throws IOException {
    synchronized (this) {
      open.remove(stream);
    }
    stream.close();
  }

  /** Cuts all streams, now and in future. */
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
        // Nobody reads the stream any more.
      }
    }
  }
}
