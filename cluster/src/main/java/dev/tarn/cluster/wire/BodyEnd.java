package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.Union;
import dev.tarn.cluster.object.ObjectCodecs;
import dev.tarn.cluster.target.DeclaredDigests;
import java.util.List;

/**
 * The end of a body on the wire. A body without it was cut off and is discarded.
 *
 * <p>A body is a sequence of frames: a length of four bytes, then that many bytes. A length of zero
 * announces the end, which is one more frame with this message. The sender therefore needs to know
 * the length and the digests only at the end. It can also report its own failure and keep the
 * connection.
 */
public sealed interface BodyEnd {
  /** The greatest size of a frame in bytes. */
  int FRAME_BYTES_MAX = 256 << 10;

  /** The greatest size of an encoded end in bytes. */
  int BYTES_MAX = 64 << 10;

  /** The body is complete. */
  record Whole(DeclaredDigests digests) implements BodyEnd {
    public Whole {
      requireNonNull(digests, "digests is null");
    }
  }

  /** The sender's own source failed: nothing may be stored. */
  record Broken(String message) implements BodyEnd {
    public Broken {
      requireNonNull(message, "message is null");
    }
  }

  /** The encoding of ends. */
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
                              in.optionalText(1),
                              in.messages(2, ObjectCodecs.CHECKSUM, ObjectCodecs.CHECKSUMS_MAX)))),
              Union.alternative(
                  2,
                  Broken.class,
                  (out, broken) -> out.text(1, broken.message()),
                  in -> new Broken(in.text(1)))));

  /** Encodes an end as a message. */
  static byte[] encode(BodyEnd end) {
    return WireMessage.encode(CODEC, end);
  }

  /**
   * Decodes an end.
   *
   * @throws WireException if it is malformed or of another version
   */
  static BodyEnd decode(byte[] message) throws WireException {
    return WireMessage.decode(message, "end of body", CODEC);
  }
}
