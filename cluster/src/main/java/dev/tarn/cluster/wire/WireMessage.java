package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.MalformedMessageException;

/** The beginning of every message: the version of the protocol. */
final class WireMessage {
  /** The version of all messages that this code writes, and the only version that it reads. */
  static final int FORMAT_VERSION = 2;

  private WireMessage() {}

  static <T> byte[] encode(Codec<T> codec, T value) {
    return codec.encodeBehind(FORMAT_VERSION, value);
  }

  /** Decodes a whole message. */
  static <T> T decode(byte[] message, String what, Codec<T> codec) throws WireException {
    requireNonNull(message, "message is null");
    int version = message.length == 0 ? 0 : message[0] & 0xFF;
    if (version != FORMAT_VERSION) {
      throw new WireException(
          what + " has wire version " + version + "; this node speaks " + FORMAT_VERSION);
    }
    try {
      return codec.decode(message, 1);
    } catch (MalformedMessageException malformed) {
      throw new WireException(what + " is malformed: " + malformed.getMessage(), malformed);
    }
  }
}
