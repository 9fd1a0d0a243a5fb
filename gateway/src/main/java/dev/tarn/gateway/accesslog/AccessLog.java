package dev.tarn.gateway.accesslog;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.http.Exchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends a JSON line per request to a file. Event loops only put lines into a queue of limited
 * size; one thread writes them. If the disk is full or too slow, lines are dropped and counted, and
 * requests continue. Logging continues when the disk has room again.
 */
public final class AccessLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
  private static final int QUEUED_LINES_MAX = 64 << 10;
  private static final int BATCH_LINES_MAX = 1024;
  private static final String END = "";

  private final AccessLogFile file;
  private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUED_LINES_MAX);
  private final AtomicLong dropped = new AtomicLong();
  private final Thread thread;
  private boolean failing;

  private AccessLog(AccessLogFile file) {
    this.file = file;
    this.thread = Thread.ofPlatform().name("tarn-access-log").daemon().unstarted(this::writeLines);
  }

  /**
   * Opens a file to append to.
   *
   * @throws UncheckedIOException if the file cannot be opened
   */
  public static AccessLog open(Path path) {
    requireNonNull(path, "path is null");
    AccessLogFile file = new AccessLogFile(path);
    try {
      file.open();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "access log " + path + " cannot be opened; it must be a file in an existing folder", e);
    }
    AccessLog log = new AccessLog(file);
    log.thread.start();
    return log;
  }

  /** Logs an exchange that has ended. */
  public void add(Exchange exchange) {
    if (!queue.offer(AccessLogLine.of(exchange))) {
      dropped.incrementAndGet();
    }
  }

  /** The number of lines that were dropped because the disk was full or too slow. */
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
    List<String> batch = new ArrayList<>(BATCH_LINES_MAX);
    try (AccessLogFile lines = file) {
      boolean goesOn = true;
      while (goesOn) {
        batch.add(queue.take());
        queue.drainTo(batch, BATCH_LINES_MAX - 1);
        goesOn = !batch.removeIf(String::isEmpty);
        write(lines, batch);
        batch.clear();
      }
    } catch (IOException e) {
      LOG.warn("Closing access log {} failed", file, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(AccessLogFile lines, List<String> batch) {
    try {
      lines.append(batch);
      if (failing) {
        failing = false;
        LOG.info("Access log {} is written again; {} requests are missing from it", file, dropped);
      }
    } catch (IOException e) {
      dropped.addAndGet(batch.size());
      if (!failing) {
        failing = true;
        LOG.error(
            "Writing access log {} failed; requests are still served, and those missing from it are"
                + " counted",
            file,
            e);
      }
    }
  }
}
