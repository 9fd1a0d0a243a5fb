package dev.tarn.transport.tls;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Explains why handshakes fail. */
public final class HandshakeFailures {
  private static final Logger LOG = LoggerFactory.getLogger(HandshakeFailures.class);

  /** Why a target refuses a call in the clear, as the end of a sentence. */
  public static final String TAKES_TLS_ONLY =
      "takes TLS only, and its announcement of that has not arrived; retry later";

  private static final String TAKES_NO_TLS =
      "takes no TLS, and its announcement of that has not arrived; retry later";

  private static final String TIMED_OUT = "did not complete the TLS handshake in time";

  private static final String CALLS_IN_THE_CLEAR =
      "calls in the clear, but this port takes TLS only; gateways follow the announcement of this"
          + " target, so update a member of an older release and check any other caller";

  private static final String CALLS_OVER_TLS =
      "calls over TLS, but this port takes plain HTTP only; gateways follow the announcement of"
          + " this target, so check any other caller";

  private static final int CAUSES_MAX = 16;
  private static final Warned WARNED = new Warned();

  private HandshakeFailures() {}

  /** Describes a handshake with a target that failed with this cause, as the end of a sentence. */
  public static String problem(Throwable cause) {
    return find(cause, NotSslRecordException.class) == null ? ofPeer(cause) : TAKES_NO_TLS;
  }

  /** Like {@link #problem}, without the reason, which may name addresses: for S3 clients. */
  public static String summary(Throwable cause) {
    if (find(cause, NotSslRecordException.class) != null) {
      return TAKES_NO_TLS;
    }
    return timedOut(cause) ? TIMED_OUT : act(reason(cause)) + "; see the log of this gateway";
  }

  private static String ofPeer(Throwable cause) {
    if (timedOut(cause)) {
      return TIMED_OUT;
    }
    String reason = reason(cause);
    return act(reason)
        + " ("
        + reason
        + (isAlert(reason)
            ? "); check that both have certificates of one authority, that these have not expired,"
                + " and that they name the address that is called"
            : "); check that it has a valid certificate of the cluster's authority for its"
                + " address");
  }

  private static boolean timedOut(Throwable cause) {
    return find(cause, SslHandshakeTimeoutException.class) != null;
  }

  private static String act(String reason) {
    return isAlert(reason) ? "refused the certificate of this process" : "failed the TLS handshake";
  }

  private static boolean isAlert(String reason) {
    return reason.contains("Received fatal alert");
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
   * Logs that a caller of the internal port was refused; each cause of a host once an hour. A
   * caller that closes the connection early is not logged, since load balancers probe ports in this
   * way.
   */
  static void refusedMember(String host, Throwable cause) {
    if (isOfTls(cause)) {
      warnOnce(host, ofPeer(cause));
    }
  }

  /** Notes that a caller of the port for direct reads was refused. Anybody can call that port. */
  static void refusedReader(String host, Throwable cause) {
    if (isOfTls(cause)) {
      LOG.debug("direct reader at {} failed the TLS handshake: {}", host, reason(cause));
    }
  }

  /** Logs, once an hour, that a host has called a TLS port in the clear, or the reverse. */
  static void calledWrongPort(String host, boolean tlsDue) {
    warnOnce(host, tlsDue ? CALLS_IN_THE_CLEAR : CALLS_OVER_TLS);
  }

  private static void warnOnce(String host, String problem) {
    if (WARNED.isNew(host, problem, System.nanoTime())) {
      LOG.warn("connection from {} failed: it {}", host, problem);
    }
  }

  /** The failures of the last hour that were logged. */
  static final class Warned {
    /** How many failures are logged in a period at most, however many hosts call. */
    static final int FAILURES_MAX = 1_000;

    static final Duration PERIOD = Duration.ofHours(1);

    /** When each failure was logged, the oldest first. */
    private final Map<Failure, Long> recent = new LinkedHashMap<>();

    private record Failure(String host, String problem) {}

    /** Whether a failure has to be logged; counts it then. */
    synchronized boolean isNew(String host, String problem, long nanos) {
      Iterator<Long> logged = recent.values().iterator();
      while (logged.hasNext() && nanos - logged.next() >= PERIOD.toNanos()) {
        logged.remove();
      }
      return recent.size() < FAILURES_MAX
          && recent.putIfAbsent(new Failure(host, problem), nanos) == null;
    }
  }
}
