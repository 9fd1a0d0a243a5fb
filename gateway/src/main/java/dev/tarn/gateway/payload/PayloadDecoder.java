package dev.tarn.gateway.payload;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Decodes the bytes of an HTTP body into the bytes of an object, and verifies them. A decoder is a
 * state machine without threads and locks, and without buffers except for one line. It runs on the
 * thread that calls it, one call at a time. That thread is the connection's event loop, for bodies
 * of every size. The cost of a payload signature is therefore paid there, piece by piece.
 *
 * <p>Bytes are handed out before all of them are verified. They must not be trusted until {@link
 * #end} has returned. After an exception, a decoder must not be used.
 */
public interface PayloadDecoder {
  /** The number of decoded bytes, or {@link IncomingBody#UNKNOWN_LENGTH}. */
  long decodedLength();

  /**
   * Decodes the next piece of the HTTP body, of any size, and consumes all of it.
   *
   * @param piece from position to limit
   * @param out receives none, one or more slices of {@code piece}, which share its memory
   * @throws S3Exception if the body differs from what was signed or declared
   */
  void feed(ByteBuffer piece, Consumer<ByteBuffer> out);

  /**
   * Ends the HTTP body.
   *
   * @throws S3Exception if the body ends too early or differs from what was signed or declared
   */
  void end();

  /**
   * The digests that the sender declared for the decoded bytes: those in headers, and after {@link
   * #end} also those in trailers. The receiver compares them.
   */
  DeclaredDigests declaredDigests();
}
