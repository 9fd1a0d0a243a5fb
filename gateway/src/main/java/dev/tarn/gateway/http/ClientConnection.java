package dev.tarn.gateway.http;

import dev.tarn.transport.connection.Connections;
import dev.tarn.transport.connection.LingeringClose;
import io.vertx.core.http.HttpConnection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is watched of one client's connection: how long it has been idle, and whether its transfer
 * moves. Belongs to the connection's event loop.
 */
final class ClientConnection {
  private final HttpConnection connection;
  private final LoopListener listener;
  private final boolean surplus;
  private @Nullable Exchange exchange;
  private long begun;
  private long broken;
  private @Nullable Throwable brokenBy;
  private boolean closing;
  private long idleSinceNanos = System.nanoTime();
  private long periodStartNanos;
  private long movedAtPeriodStart;

  ClientConnection(HttpConnection connection, LoopListener listener, boolean surplus) {
    this.connection = connection;
    this.listener = listener;
    this.surplus = surplus;
  }

  /** Whether it is one more than there may be. */
  boolean surplus() {
    return surplus;
  }

  /** How much is read of a body that nobody wants. */
  long unreadBytesMax() {
    return listener.unreadBytesMax();
  }

  /**
   * The answer that is being written is the last one. What the client has sent behind its request
   * is not obeyed: where a request ends may be the very thing that is not certain.
   */
  void closeAfterAnswer() {
    closing = true;
    LingeringClose.use(connection, listener.unreadBytesMax(), listener.lingerMs());
  }

  /** Whether no more requests are taken. */
  boolean closing() {
    return closing;
  }

  /** Where files wait for clients that read them through TLS. */
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
    // A pipelined request may have begun before the answer to the one before it was all written.
    if (exchange == ended) {
      exchange = null;
    }
    idleSinceNanos = System.nanoTime();
    listener.finished(ended);
  }

  /**
   * The body of this request, counted from 1, is no valid HTTP. Gives whether its sender will be
   * told: at once, or when a request that is pipelined behind others has begun.
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

  /** Closes what has been idle or slow for too long. */
  void check(long nowNanos, HttpSettings settings) {
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
   * Says why, if no answer has begun; the answer closes the connection, or the next period does.
   */
  private void cutOff(Exchange slow, long nowNanos) {
    if (slow.started()) {
      Connections.abort(connection);
    } else {
      periodStartNanos = nowNanos;
      listener.tooSlow(slow);
    }
  }
}
