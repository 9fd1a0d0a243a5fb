package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.Union;
import dev.tarn.cluster.object.ObjectCodecs;
import dev.tarn.cluster.target.DeclaredDigests;
import java.util.List;

/**
 * What follows the last bytes of a body on the wire. A body without one was cut off, and is
 * nothing.
 *
 * <p>A body is a sequence of frames: a length of four bytes and so many bytes. A length of zero
 * announces the end, which is one more frame with this message. So the sender may take its time to
 * know the length and the digests, and can say that it failed and keep the connection.
 */
public sealed interface BodyEnd {
  /** The most bytes of a frame. */
  int FRAME_BYTES_MAX = 256 << 10;

  /** The most bytes of an encoded end. */
  int BYTES_MAX = 64 << 10;

  /** The body is whole. */
  record Whole(DeclaredDigests digests) implements BodyEnd {
    public Whole {
      requireNonNull(digests, "digests is null");
    }
  }

  /** The sender's own source failed: nothing must be stored. */
  record Broken(String message) implements BodyEnd {
    public Broken {
      requireNonNull(message, "message is null");
    }
  }

  /** The form of ends. */
  Codec<BodyEnd> CODEC =
      Union.of(
          BodyEnd.class,
          List.of(
              Union.alternative(
                  1,
                  Whole.class,
                  (out, whole) ->
                      out.text(1, whole.digests().md5Hex())
                          .messages(2, ObjectCodecs.CHECKSUM, whole.digests().checksums()),
                  in ->
                      new Whole(
                          new DeclaredDigests(
                              in.optionalText(1), in.messages(2, ObjectCodecs.CHECKSUM)))),
              Union.alternative(
                  2,
                  Broken.class,
                  (out, broken) -> out.text(1, broken.message()),
                  in -> new Broken(in.text(1)))));

  /** The end's wire form. */
  static byte[] encode(BodyEnd end) {
    return WireMessage.encode(CODEC, end);
  }

  /**
   * Reads an end.
   *
   * @throws WireException if it is malformed or of another version
   */
  static BodyEnd decode(byte[] message) throws WireException {
    return WireMessage.decode(message, "end of body", CODEC);
  }
}
