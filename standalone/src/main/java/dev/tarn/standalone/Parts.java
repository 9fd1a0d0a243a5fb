package dev.tarn.standalone;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been started, to be closed in the opposite order, each whatever became of the others.
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
            "closing {} failed; what it had acknowledged is kept",
            part.getClass().getSimpleName(),
            e);
      }
    }
  }
}
