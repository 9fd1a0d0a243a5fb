package dev.tarn.client.internal.cache;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The files that threads of this process hold. The system's locks belong to processes: a second
 * holder within a process would get none, and would release the first one's lock by closing the
 * file.
 *
 * <p>Several class loaders may each have a copy of the SDK, as in a Flink worker or a web server.
 * So holders are noted where all copies see them: in system properties, guarded by an interned
 * string. A note names its process, since a child process may inherit it.
 */
final class ThisProcess {
  private static final String NOTES = "dev.tarn.client.cache";
  private static final String SELF =
      ProcessHandle.current().pid()
          + "@"
          + ProcessHandle.current().info().startInstant().map(Object::toString).orElse("?");

  private ThisProcess() {}

  /** A name that no other process has, on any machine. */
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

  /** Waits until no other thread holds a file, and then holds it. */
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

  /** Releases a file. */
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
