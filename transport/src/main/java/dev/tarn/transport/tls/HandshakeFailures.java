package dev.tarn.transport.tls;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Explains why handshakes fail. */
public final class HandshakeFailures {
  private static final Logger LOG = LoggerFactory.getLogger(HandshakeFailures.class);

  /** What a peer does that was called in the clear, as the end of a sentence. */
  public static final String SPEAKS_TLS =
      "speaks TLS where plain HTTP is due; set cluster.tls alike on all members";

  private static final String SPEAKS_PLAIN =
      "speaks plain HTTP where TLS is due; set cluster.tls alike on all members";

  private static final int LOGGED_MAX = 1_000;
  private static final long PERIOD_NANOS = Duration.ofHours(1).toNanos();
  private static final int CAUSES_MAX = 16;

  /** When each failure was logged, by {@link System#nanoTime}; the oldest first. */
  private static final Map<Logged, Long> RECENT = new LinkedHashMap<>();

  private record Logged(String host, String problem) {}

  private HandshakeFailures() {}

  /** What a peer did in a handshake that failed with this cause, as the end of a sentence. */
  public static String problem(Throwable cause) {
    if (find(cause, NotSslRecordException.class) != null) {
      return SPEAKS_PLAIN;
    }
    if (find(cause, SslHandshakeTimeoutException.class) != null) {
      return "did not complete the TLS handshake in time";
    }
    String reason = reason(cause);
    return reason.contains("Received fatal alert")
        ? "refused the certificate of this process ("
            + reason
            + "); check that both have certificates of one authority, that these have not expired,"
            + " and that they name the address that is called"
        : "failed the TLS handshake ("
            + reason
            + "); check that it has a valid certificate of the cluster's authority for its address";
  }

  /** Whether TLS failed, rather than the connection. */
  public static boolean isOfTls(Throwable cause) {
    return find(cause, SSLException.class) != null
        && find(cause, ClosedChannelException.class) == null;
  }

  /** The deepest message. */
  private static String reason(Throwable cause) {
    String reason = cause.getClass().getSimpleName();
    Throwable each = cause;
    for (int depth = 0; each != null && depth < CAUSES_MAX; depth++) {
      String message = each.getMessage();
      reason = message == null ? reason : message;
      each = each.getCause();
    }
    return reason;
  }

  private static <T extends Throwable> @Nullable T find(Throwable cause, Class<T> kind) {
    Throwable each = cause;
    for (int depth = 0; each != null && depth < CAUSES_MAX; depth++) {
      if (kind.isInstance(each)) {
        return kind.cast(each);
      }
      each = each.getCause();
    }
    return null;
  }

  /**
   * Logs that a caller was refused; each cause of a host once an hour. A caller that closes the
   * connection early is not logged, since load balancers probe ports in this way.
   */
  static void refused(@Nullable String host, Throwable cause) {
    if (isOfTls(cause)) {
      logOnce(String.valueOf(host), problem(cause));
    }
  }

  /** Logs, once an hour, that a host has called a TLS port in the clear, or the reverse. */
  static void calledWrongPort(String host, boolean tlsDue) {
    logOnce(host, tlsDue ? SPEAKS_PLAIN : SPEAKS_TLS);
  }

  private static void logOnce(String host, String problem) {
    if (isNew(new Logged(host, problem), System.nanoTime())) {
      LOG.warn("connections from {} are refused: it {}", host, problem);
    }
  }

  private static boolean isNew(Logged failure, long now) {
    synchronized (RECENT) {
      Long last = RECENT.get(failure);
      if (last != null && now - last < PERIOD_NANOS) {
        return false;
      }
      RECENT.remove(failure);
      RECENT.put(failure, now);
      if (RECENT.size() > LOGGED_MAX) {
        RECENT.remove(RECENT.keySet().iterator().next());
      }
      return true;
    }
  }
}
