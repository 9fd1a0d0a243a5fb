package dev.tarn.gateway.http;

import dev.tarn.transport.connection.Connections;
import dev.tarn.transport.connection.LingeringClose;
import io.vertx.core.http.HttpConnection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of one client connection that the periodic checks need: how long the connection has
 * been idle, and how many bytes its transfer has moved. The state belongs to the connection's event
 * loop.
 */
final class ClientConnection {
  /** How long a client may continue to send while its connection is being closed. */
  private static final long LINGER_MS_MAX = 5000;

  private final HttpConnection connection;
  private final HttpListener listener;
  private final boolean surplus;
  private @Nullable Exchange exchange;
  private long begun;
  private long broken;
  private @Nullable Throwable brokenBy;
  private boolean closing;
  private long idleSinceNanos = System.nanoTime();
  private long periodStartNanos;
  private long movedAtPeriodStart;

  ClientConnection(HttpConnection connection, HttpListener listener, boolean surplus) {
    this.connection = connection;
    this.listener = listener;
    this.surplus = surplus;
  }

  /** Whether the connection exceeds the limit of open connections. */
  boolean surplus() {
    return surplus;
  }

  /** How many bytes of an unwanted body are read, at most. */
  long unreadBytesMax() {
    return listener.settings().unreadBytesMax();
  }

  /**
   * Closes the connection after the answer that is being written. Later requests on this connection
   * are ignored: the place where the current request ends may be uncertain.
   */
  void closeAfterAnswer() {
    closing = true;
    long lingerMs = Math.min(listener.settings().progressPeriodMs(), LINGER_MS_MAX);
    LingeringClose.use(connection, unreadBytesMax(), lingerMs);
  }

  /** Whether the connection accepts no more requests. */
  boolean closing() {
    return closing;
  }

  /** The memory for file bytes that are sent through TLS. */
  ReadMemory readMemory() {
    return listener.readMemory();
  }

  void began(Exchange started) {
    exchange = started;
    begun++;
    periodStartNanos = started.startNanos();
    movedAtPeriodStart = 0;
    Throwable cause = brokenBy;
    if (cause != null && begun == broken) {
      brokenBy = null;
      bodyBroken(begun, cause);
    }
  }

  void finished(Exchange ended) {
    // A pipelined request may begin before the previous answer is completely written.
    if (exchange == ended) {
      exchange = null;
    }
    idleSinceNanos = System.nanoTime();
    listener.exchangeFinished(ended);
  }

  /**
   * Reports that the body of a request is not valid HTTP. Requests are counted from 1. Returns
   * whether the sender gets an answer. A pipelined request that has not begun gets its answer when
   * it begins.
   */
  boolean bodyBroken(long request, Throwable cause) {
    if (request > begun) {
      broken = request;
      brokenBy = cause;
      return true;
    }
    Exchange current = exchange;
    return current != null && current.bodyBroken(cause);
  }

  /** Closes a connection that has been idle or slow for too long. */
  void check(long nowNanos) {
    HttpSettings settings = listener.settings();
    Exchange current = exchange;
    if (current == null) {
      if (nowNanos - idleSinceNanos > TimeUnit.MILLISECONDS.toNanos(settings.idleMsMax())) {
        connection.close();
      }
      return;
    }
    long periodNanos = TimeUnit.MILLISECONDS.toNanos(settings.progressPeriodMs());
    long moved = current.moved();
    if (current.drainsSince(nowNanos - periodNanos)) {
      cutOff(current, nowNanos);
    } else if (!current.awaitsClient()
        || moved - movedAtPeriodStart >= settings.progressBytesMin()) {
      periodStartNanos = nowNanos;
      movedAtPeriodStart = moved;
    } else if (nowNanos - periodStartNanos > periodNanos) {
      cutOff(current, nowNanos);
    }
  }

  /**
   * Sends the reason if no answer has begun. The connection is closed by that answer, or by the
   * check of the next period.
   */
  private void cutOff(Exchange slow, long nowNanos) {
    if (slow.started()) {
      Connections.abort(connection);
    } else {
      periodStartNanos = nowNanos;
      slow.respondAndClose(listener.handler().refusal(slow, ListenerRefusal.TOO_SLOW));
    }
  }
}
