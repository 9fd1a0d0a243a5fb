package dev.tarn.client.internal.cache;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which files threads of this process hold. The system's locks are of processes: a second holder
 * within one gets none, and would undo the first one's by closing the file.
 *
 * <p>Several class loaders may have a copy of the SDK each, as jobs of one Flink worker or
 * applications of one web server have. So this is noted where they all see it: in system
 * properties, under the lock of a string that is one for all. A note says which process made it,
 * since a child process may inherit it.
 */
final class ThisProcess {
  private static final String NOTES = "dev.tarn.client.cache";
  private static final String SELF =
      ProcessHandle.current().pid()
          + "@"
          + ProcessHandle.current().info().startInstant().map(Object::toString).orElse("?");

  private ThisProcess() {}

  /** A name that no other process has, on whatever machine. */
  static String name() {
    String property = NOTES + ".process";
    synchronized (NOTES) {
      String known = System.getProperty(property, "");
      if (!known.startsWith(SELF + " ")) {
        known = SELF + " " + UUID.randomUUID();
        System.setProperty(property, known);
      }
      return known.substring(SELF.length() + 1);
    }
  }

  /** Waits until no other thread holds a file, and holds it then. */
  static void hold(Path file) throws IOException {
    String property = property(file);
    synchronized (NOTES) {
      try {
        while (SELF.equals(System.getProperty(property))) {
          NOTES.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException)
            new InterruptedIOException("interrupted while waiting for " + file).initCause(e);
      }
      System.setProperty(property, SELF);
    }
  }

  /** Lets go of a file. */
  static void release(Path file) {
    synchronized (NOTES) {
      System.clearProperty(property(file));
      NOTES.notifyAll();
    }
  }

  private static String property(Path file) {
    return NOTES + ".held:" + file;
  }
}
