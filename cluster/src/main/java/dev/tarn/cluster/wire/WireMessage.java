package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.codec.VersionRange;

/** A message behind the byte that names its version, see {@link WireVersions}. */
final class WireMessage {
  private WireMessage() {}

  static <T> byte[] encode(Codec<T> codec, T value, int version) {
    return codec.encodeBehind(version, value);
  }

  /** The version of a message; 0 if it is empty. */
  static int version(byte[] message) {
    return message.length == 0 ? 0 : message[0] & 0xFF;
  }

  /** Decodes a whole message of one of the spoken versions. */
  static <T> T decode(byte[] message, String what, Codec<T> codec, VersionRange spoken)
      throws WireException {
    requireNonNull(message, "message is null");
    int version = version(message);
    if (!spoken.contains(version)) {
      throw new WireException(
          what + " has wire version " + version + "; this process speaks " + spoken);
    }
    try {
      return codec.decode(message, 1);
    } catch (MalformedMessageException malformed) {
      throw new WireException(what + " is malformed: " + malformed.getMessage(), malformed);
    }
  }
}
