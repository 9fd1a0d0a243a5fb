package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

/**
 * The address of a target's internal port.
 *
 * @param host a name or an address, without brackets
 * @param port 1 to 65535
 */
public record TargetAddress(String host, int port) {
  public TargetAddress {
    requireNonNull(host, "host is null");
    if (host.isEmpty()) {
      throw new IllegalArgumentException("host of a target address is empty");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException(
          "port of target address " + host + " is " + port + ", must be 1 to 65535");
    }
  }

  /**
   * Parses HOST:PORT, with an IPv6 address in brackets.
   *
   * @throws IllegalArgumentException if it is not of this form
   */
  public static TargetAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    boolean bracketed = text.startsWith("[");
    if (colon < 1 || (bracketed && text.charAt(colon - 1) != ']')) {
      throw new IllegalArgumentException("target address is '" + text + "', must be HOST:PORT");
    }
    String host = bracketed ? text.substring(1, colon - 1) : text.substring(0, colon);
    if (!bracketed && host.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "target address is '" + text + "'; write an IPv6 address as [ADDRESS]:PORT");
    }
    try {
      return new TargetAddress(host, Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException notANumber) {
      throw new IllegalArgumentException(
          "port of target address '" + text + "' is not a number", notANumber);
    }
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
