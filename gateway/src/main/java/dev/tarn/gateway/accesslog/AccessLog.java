package dev.tarn.gateway.accesslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.http.Exchange;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends a JSON line per request to a file. Event loops only put lines into a bounded queue; one
 * thread writes. When the disk does not keep up, lines are dropped and counted, and requests go on.
 */
public final class AccessLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
  private static final int QUEUED_LINES_MAX = 64 << 10;
  private static final String END = "";

  private final Path file;
  private final BufferedWriter writer;
  private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUED_LINES_MAX);
  private final AtomicLong dropped = new AtomicLong();
  private final Thread thread;

  private AccessLog(Path file, BufferedWriter writer) {
    this.file = file;
    this.writer = writer;
    this.thread = Thread.ofPlatform().name("tarn-access-log").daemon().unstarted(this::writeLines);
  }

  /**
   * Opens a file to append to.
   *
   * @throws UncheckedIOException if that fails
   */
  public static AccessLog open(Path file) {
    requireNonNull(file, "file is null");
    try {
      BufferedWriter writer =
          Files.newBufferedWriter(
              file, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      AccessLog log = new AccessLog(file, writer);
      log.thread.start();
      return log;
    } catch (IOException e) {
      throw new UncheckedIOException("access log " + file + " cannot be opened for appending", e);
    }
  }

  /** Notes an exchange that has ended. */
  public void add(Exchange exchange) {
    if (!queue.offer(AccessLogLine.of(exchange))) {
      dropped.incrementAndGet();
    }
  }

  /** Lines that were dropped because the disk did not keep up. */
  public long dropped() {
    return dropped.get();
  }

  @Override
  public void close() {
    try {
      queue.put(END);
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void writeLines() {
    try (BufferedWriter lines = writer) {
      String line = queue.take();
      while (!line.equals(END)) {
        lines.write(line);
        lines.write('\n');
        if (queue.isEmpty()) {
          lines.flush();
        }
        line = queue.take();
      }
    } catch (IOException e) {
      LOG.error("access log {} cannot be written; requests go on without it", file, e);
      discardLines();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void discardLines() {
    try {
      while (!queue.take().equals(END)) {
        dropped.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
