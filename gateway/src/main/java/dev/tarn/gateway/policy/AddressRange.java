package dev.tarn.gateway.policy;

import dev.tarn.gateway.error.S3Exception;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Addresses that share their first bits: {@code 192.0.2.0/24}, {@code 2001:db8::/32}.
 *
 * @param address any address of the range
 * @param prefixBits how many first bits are shared
 */
record AddressRange(InetAddress address, int prefixBits) {
  /** Leading zeros are not allowed, because some parsers treat them as octal numbers. */
  private static final Pattern VERSION_4 =
      Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");

  /**
   * Parses a range, or a single address.
   *
   * @throws S3Exception MalformedPolicy
   */
  static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    InetAddress address =
        address(slash < 0 ? text : text.substring(0, slash)).orElseThrow(() -> invalid(text));
    int bitsMax = address.getAddress().length * Byte.SIZE;
    if (slash < 0) {
      return new AddressRange(address, bitsMax);
    }
    String bits = text.substring(slash + 1);
    if (!bits.matches("[0-9]{1,3}") || Integer.parseInt(bits) > bitsMax) {
      throw invalid(text);
    }
    return new AddressRange(address, Integer.parseInt(bits));
  }

  /** Parses an address; never queries DNS. */
  static Optional<InetAddress> address(String text) {
    boolean version6 = text.indexOf(':') >= 0;
    if (!version6 && !VERSION_4.matcher(text).matches()) {
      return Optional.empty();
    }
    if (text.indexOf('[') >= 0 || text.indexOf('%') >= 0) {
      return Optional.empty();
    }
    try {
      InetAddress address = InetAddress.ofLiteral(text);
      return version6 && address instanceof Inet4Address ? Optional.empty() : Optional.of(address);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whether the range is so large that S3 treats it as everybody. */
  boolean isWide() {
    return prefixBits < (address instanceof Inet4Address ? 8 : 32);
  }

  /** Whether the range contains an address. */
  boolean contains(InetAddress other) {
    byte[] mine = address.getAddress();
    byte[] theirs = other.getAddress();
    if (mine.length != theirs.length) {
      return false;
    }
    int whole = prefixBits / Byte.SIZE;
    for (int index = 0; index < whole; index++) {
      if (mine[index] != theirs[index]) {
        return false;
      }
    }
    int rest = prefixBits % Byte.SIZE;
    return rest == 0 || ((mine[whole] ^ theirs[whole]) & 0xff) >>> (Byte.SIZE - rest) == 0;
  }

  private static S3Exception invalid(String text) {
    return Malformed.of("Invalid IP address or CIDR in a condition: " + text);
  }
}
