package dev.tarn.standalone;

import java.net.SocketException;
import java.net.UnknownHostException;

/** What would be right where an address cannot be listened on. */
final class Listening {
  private Listening() {}

  /** The message, with advice where it is the address that is wrong. */
  static String explain(String message, String flag, Throwable cause) {
    boolean wrongAddress =
        cause instanceof SocketException
            || cause instanceof UnknownHostException
            || message.contains("bind");
    return wrongAddress
        ? message
            + "; give "
            + flag
            + " another address or port, such as 127.0.0.1:0 for a free one"
        : message;
  }
}
