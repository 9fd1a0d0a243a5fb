package dev.tarn.standalone;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The started parts of this process. They are closed in reverse order. If one fails to close, the
 * others are closed all the same.
 */
final class Parts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T part) {
    started.push(part);
    return part;
  }

  @Override
  public void close() {
    while (!started.isEmpty()) {
      AutoCloseable part = started.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.error(
            "closing {} failed; acknowledged data are safe", part.getClass().getSimpleName(), e);
      }
    }
  }
}
