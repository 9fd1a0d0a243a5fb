package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.MalformedMessageException;

/**
 * A message behind the byte that names its version.
 *
 * <p>A new optional field needs no version, because older readers skip it. A new request, a new
 * failure or a required field needs none either, if refusing it is the right answer of an older
 * reader: its message names the unknown tag. A new version is for a message that an older reader
 * would misunderstand. A reader refuses all versions but its own.
 */
final class WireMessage {
  /** The version of the messages of this release. */
  static final int VERSION = 2;

  private WireMessage() {}

  static <T> byte[] encode(Codec<T> codec, T value) {
    return codec.encodeBehind(VERSION, value);
  }

  /** Decodes a whole message. */
  static <T> T decode(byte[] message, String what, Codec<T> codec) throws WireException {
    requireNonNull(message, "message is null");
    int version = message.length == 0 ? 0 : message[0] & 0xFF;
    if (version != VERSION) {
      throw WireException.ofOtherVersion(what, version, VERSION);
    }
    try {
      return codec.decode(message, 1);
    } catch (MalformedMessageException malformed) {
      throw new WireException(what + " is malformed: " + malformed.getMessage(), malformed);
    }
  }
}
