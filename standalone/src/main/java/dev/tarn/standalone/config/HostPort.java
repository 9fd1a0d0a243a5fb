package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

/**
 * An address to listen on.
 *
 * @param host a name or an address, without brackets
 * @param port the port; 0 picks a free one
 */
public record HostPort(String host, int port) {
  private static final int PORT_MAX = 65_535;

  public HostPort {
    requireNonNull(host, "host is null");
  }

  /**
   * Parses HOST:PORT; an IPv6 address is in brackets.
   *
   * @throws IllegalArgumentException if the text has another form or the port exceeds 65535
   */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1) {
      throw wrong(text);
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw wrong(text);
    }
    String port = text.substring(colon + 1);
    if (host.isEmpty() || !port.matches("\\d{1,5}") || Integer.parseInt(port) > PORT_MAX) {
      throw wrong(text);
    }
    return new HostPort(host, Integer.parseInt(port));
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "'" + text + "' must be HOST:PORT, such as 127.0.0.1:9000 or [::1]:0");
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
