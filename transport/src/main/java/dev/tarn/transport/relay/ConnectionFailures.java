package dev.tarn.transport.relay;

import dev.tarn.transport.tls.HandshakeFailures;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * What a target did that a connection failed, as the end of a sentence. S3 clients read it, so it
 * names no address and no system call.
 */
final class ConnectionFailures {
  private ConnectionFailures() {}

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
    return HandshakeFailures.isOfTls(cause)
        ? HandshakeFailures.problem(cause)
        : "cannot be reached";
  }

  /** Why a connection ended. */
  static String broken(@Nullable IOException cause) {
    return cause instanceof RelayException
        ? String.valueOf(cause.getMessage())
        : "closed the connection";
  }
}
