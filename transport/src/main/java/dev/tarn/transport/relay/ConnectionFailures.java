package dev.tarn.transport.relay;

import dev.tarn.cluster.target.Failure;
import dev.tarn.transport.tls.HandshakeFailures;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Describes why a connection failed, as the end of a sentence whose subject is the target. Except
 * for {@link #detail}, S3 clients read the text, so it names no address and no system call.
 */
final class ConnectionFailures {
  /** A target that refuses its caller's certificate closes the connection in this way. */
  static final String CLOSED_EARLY =
      "closed the connection before a reply; see its log for refused certificates";

  private ConnectionFailures() {}

  /** The failure of a call to a target of this name; the problem ends the sentence. */
  static Failure unavailable(String name, String problem) {
    String start = Character.toUpperCase(name.charAt(0)) + name.substring(1);
    return new Failure.Unavailable(start + " " + problem + ".");
  }

  /** Whether the target's kernel answered that nobody listens. */
  static boolean isRefusal(Throwable cause) {
    return cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException);
  }

  /** Why a connection could not be made. */
  static String notConnected(Throwable cause) {
    if (cause instanceof IllegalStateException) {
      return "cannot be called: " + cause.getMessage();
    }
    if (isRefusal(cause)) {
      return "accepts no connections";
    }
    if (cause instanceof ConnectTimeoutException) {
      return "has not accepted a connection in time";
    }
    if (cause instanceof UnknownHostException) {
      return "has a host name that is not known here";
    }
    if (cause instanceof RelayException known) {
      return broken(known);
    }
    if (HandshakeFailures.isOfTls(cause)) {
      return HandshakeFailures.summary(cause);
    }
    return cause instanceof IOException && !(cause instanceof NoRouteToHostException)
        ? CLOSED_EARLY
        : "cannot be reached";
  }

  /** Why a connection could not be made, for the log: with the cause, which may name addresses. */
  static String detail(Throwable cause) {
    if (HandshakeFailures.isOfTls(cause)) {
      return HandshakeFailures.problem(cause);
    }
    return notConnected(cause) + (cause instanceof IllegalStateException ? "" : " (" + cause + ")");
  }

  /** Why a connection ended. */
  static String broken(@Nullable IOException cause) {
    return cause instanceof RelayException
        ? String.valueOf(cause.getMessage())
        : "closed the connection";
  }
}
