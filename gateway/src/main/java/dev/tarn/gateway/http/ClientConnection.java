package dev.tarn.gateway.http;

import dev.tarn.transport.connection.Connections;
import dev.tarn.transport.connection.LingeringClose;
import dev.tarn.transport.connection.ReceivedBytes;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of one client connection that the periodic checks need: how long the connection has
 * been idle, how many bytes its transfer has moved, and how much memory it holds. The state belongs
 * to the connection's event loop.
 */
final class ClientConnection implements ReceivedBytes.Reader {
  /** The memory of an open connection, about: its channel, handlers and state. */
  static final int CONNECTION_BYTES = 8 << 10;

  /** The memory of a request in flight beside the bytes of its head and its bodies, about. */
  static final int REQUEST_BYTES = 8 << 10;

  /** How long a client may continue to send while its connection is being closed. */
  private static final long LINGER_MS_MAX = 5000;

  /** How long a greedy client's connection may be idle: a request may be on its way. */
  private static final long IDLE_GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

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
  private long arrived;
  private long arrivedAtCheck;
  private long arrivedBeforeHead;
  private long arrivedNanos = idleSinceNanos;
  private long headBytes;
  private @Nullable String lastUser;
  private @Nullable String address;

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
    return listener.settings().limits().unreadBytesMax();
  }

  /**
   * Closes the connection after the answer that is being written. Later requests on this connection
   * are ignored: the place where the current request ends may be uncertain.
   */
  void closeAfterAnswer() {
    closing = true;
    long lingerMs = Math.min(listener.settings().limits().progressPeriodMs(), LINGER_MS_MAX);
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

  /** The client charged for the memory: the user of the last request, or else the address. */
  String client() {
    Exchange current = exchange;
    String user = current == null ? lastUser : current.record().accessKeyId();
    return user == null ? address() : user;
  }

  private String address() {
    String known = address;
    if (known == null) {
      SocketAddress remote = connection.remoteAddress();
      String host = remote == null ? null : remote.hostAddress();
      known = host == null ? "" : host;
      address = known;
    }
    return known;
  }

  /** The memory that the connection and its request hold, about, in bytes. */
  long heldBytes() {
    Exchange current = exchange;
    long head = current == null ? arrived - arrivedBeforeHead : headBytes;
    return CONNECTION_BYTES
        + Math.min(head, headBytesMax())
        + Connections.pendingBytes(connection)
        + (current == null ? 0 : REQUEST_BYTES + current.heldBytes());
  }

  private long headBytesMax() {
    return (long) listener.settings().limits().initialLineBytesMax()
        + listener.settings().limits().headerBytesMax();
  }

  /** Why a request of this connection's client is refused; null if it is accepted. */
  @Nullable String memoryRefusal() {
    return listener.isShort() && listener.isGreedy(client())
        ? "Request refused: "
            + listener.clientsHold()
            + ", and this user or address holds more than its fair share; close connections or"
            + " retry later."
        : null;
  }

  @Override
  public void arrived(int bytes) {
    arrived += bytes;
  }

  void began(Exchange started) {
    exchange = started;
    headBytes = arrived - arrivedBeforeHead;
    begun++;
    periodStartNanos = started.startNanos();
    movedAtPeriodStart = 0;
    Throwable cause = brokenBy;
    if (cause != null && begun == broken) {
      brokenBy = null;
      brokenOff(begun, cause);
    }
  }

  void finished(Exchange ended) {
    // A pipelined request may begin before the previous answer is completely written.
    if (exchange == ended) {
      exchange = null;
    }
    lastUser = ended.record().accessKeyId();
    idleSinceNanos = System.nanoTime();
    arrivedBeforeHead = arrived;
    listener.exchangeFinished(ended);
  }

  /**
   * Reports that the body of a request is not valid HTTP. Requests are counted from 1. Returns
   * whether the sender gets an answer. A pipelined request that has not begun gets its answer when
   * it begins.
   */
  @Override
  public boolean brokenOff(long request, Throwable cause) {
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
    boolean greedy = listener.isShort() && listener.isGreedy(client());
    Exchange current = exchange;
    if (current == null) {
      if (isIdle(nowNanos, greedy)) {
        connection.close();
      }
      return;
    }
    long drainNanos = TimeUnit.MILLISECONDS.toNanos(settings.limits().progressPeriodMs());
    long periodNanos =
        greedy
            ? drainNanos
            : TimeUnit.MILLISECONDS.toNanos(settings.limits().withoutProgressMsMax());
    long moved = current.moved();
    if (current.drainsSince(nowNanos - drainNanos)) {
      cutOff(current, nowNanos);
    } else if (!current.awaitsClient()
        || moved - movedAtPeriodStart >= settings.limits().progressBytesMin()) {
      periodStartNanos = nowNanos;
      movedAtPeriodStart = moved;
    } else if (nowNanos - periodStartNanos > periodNanos) {
      cutOff(current, nowNanos);
    }
  }

  /**
   * Whether a connection without a request has been open for too long. Bytes of a head that arrive
   * are progress, but the whole head has a limit, too. A greedy client keeps no idle connection.
   */
  private boolean isIdle(long nowNanos, boolean greedy) {
    if (arrived != arrivedAtCheck) {
      arrivedAtCheck = arrived;
      arrivedNanos = nowNanos;
    }
    HttpSettings settings = listener.settings();
    long idleNanos = TimeUnit.MILLISECONDS.toNanos(settings.limits().idleMsMax());
    long headNanos =
        greedy
            ? idleNanos
            : TimeUnit.MILLISECONDS.toNanos(settings.limits().withoutProgressMsMax());
    long openNanos = nowNanos - idleSinceNanos;
    return (greedy && arrived == arrivedBeforeHead && openNanos > IDLE_GRACE_NANOS)
        || openNanos > Math.max(idleNanos, headNanos)
        || Math.min(openNanos, nowNanos - arrivedNanos) > idleNanos;
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
