package dev.tarn.cluster.wire;

import java.util.Objects;

/** What every message begins with, and how reading one may end. */
final class WireMessage {
  /** The version of all messages that this code writes, and the only one that it reads. */
  static final int FORMAT_VERSION = 1;

  private WireMessage() {}

  static <T> byte[] encode(WireWriter.Field<T> field, T value) {
    WireWriter out = new WireWriter();
    out.writeByte(FORMAT_VERSION);
    field.write(out, value);
    return out.toByteArray();
  }

  /** Reads a whole message; a value that its own record refuses is as malformed as any other. */
  static <T> T decode(byte[] message, String what, WireReader.Field<T> field) throws WireException {
    WireReader in = new WireReader(Objects.requireNonNull(message, "message is null"));
    int version = in.readByte();
    if (version != FORMAT_VERSION) {
      throw new WireException(
          what + " has wire version " + version + "; this node speaks " + FORMAT_VERSION);
    }
    try {
      T value = field.read(in);
      in.expectEnd();
      return value;
    } catch (WireException malformed) {
      throw new WireException(what + " is malformed: " + malformed.getMessage(), malformed);
    } catch (IllegalArgumentException refused) {
      throw new WireException(what + " is malformed: " + refused.getMessage(), refused);
    }
  }
}
