package dev.tarn.benchmarks.load;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs a load on the calling thread.
 *
 * <p>The client shares the machine with the measured server, so it does as little as possible. The
 * requests are rendered and signed beforehand, one selector serves all connections, and all answers
 * are read into one buffer.
 */
public final class LoadClient {
  private static final int BUFFER_BYTES = 256 * 1024;
  private static final int ERRORS_MAX = 100;
  private static final long STALL_MS_MAX = 60_000;

  private final Load load;
  private final Selector selector;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final long startNanos = System.nanoTime();
  private int next;
  private int open;
  private long operations;
  private long bytes;
  private long errors;
  private @Nullable String firstError;

  private LoadClient(Load load, Selector selector) {
    this.load = requireNonNull(load, "load is null");
    this.selector = selector;
  }

  /** Sends the load and waits for the last answer. */
  public static LoadResult run(Load load) throws IOException {
    try (Selector selector = Selector.open()) {
      return new LoadClient(load, selector).run();
    }
  }

  private LoadResult run() throws IOException {
    try {
      for (int i = 0; i < load.connections(); i++) {
        connect();
      }
      while (open > 0) {
        int ready = selector.select(this::advance, STALL_MS_MAX);
        if (ready == 0) {
          throw new IOException("no answer from " + load.server() + " for " + STALL_MS_MAX + " ms");
        }
      }
    } catch (UncheckedIOException e) {
      throw new IOException("cannot connect to " + load.server(), e);
    } finally {
      for (SelectionKey key : selector.keys()) {
        connection(key).close();
      }
    }
    return new LoadResult(
        operations, bytes, errors, Optional.ofNullable(firstError), System.nanoTime() - startNanos);
  }

  private static LoadConnection connection(SelectionKey key) {
    return (LoadConnection) requireNonNull(key.attachment(), "key has no connection");
  }

  private @Nullable PreparedRequest nextRequest() {
    boolean over =
        load.duration().isPresent()
            ? System.nanoTime() - startNanos >= load.duration().orElseThrow().toNanos()
            : next == load.requests().size();
    if (over || errors >= ERRORS_MAX) {
      return null;
    }
    PreparedRequest request = load.requests().get(next);
    next = load.duration().isPresent() ? (next + 1) % load.requests().size() : next + 1;
    return request;
  }

  private void connect() throws IOException {
    PreparedRequest request = nextRequest();
    if (request != null) {
      // The connection is registered with the selector, whose connections are closed at the end.
      new LoadConnection(load.server(), selector, load.verified(), request);
      open++;
    }
  }

  private void advance(SelectionKey key) {
    LoadConnection connection = connection(key);
    try {
      if (key.isWritable()) {
        connection.write();
      }
      if (key.isReadable() && connection.read(buffer)) {
        finish(connection);
      }
    } catch (UnexpectedAnswerException | IOException e) {
      fail(connection.request().line() + ": " + e.getMessage());
      replace(connection);
    }
  }

  private void finish(LoadConnection connection) throws IOException {
    try {
      connection.check();
      operations++;
      bytes += connection.bytes();
    } catch (UnexpectedAnswerException e) {
      fail(String.valueOf(e.getMessage()));
    }
    if (!connection.reusable()) {
      replace(connection);
      return;
    }
    PreparedRequest request = nextRequest();
    if (request == null) {
      connection.close();
      open--;
    } else {
      connection.send(request);
    }
  }

  private void fail(String message) {
    errors++;
    if (firstError == null) {
      firstError = message;
    }
  }

  private void replace(LoadConnection connection) {
    try {
      connection.close();
      open--;
      connect();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
