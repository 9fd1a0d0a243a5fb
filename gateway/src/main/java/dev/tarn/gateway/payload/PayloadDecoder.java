package dev.tarn.gateway.payload;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Turns the bytes of an HTTP body into the bytes of an object and verifies them on the way. A state
 * machine without threads, locks or buffers of its own beyond one line: it runs on whatever thread
 * calls it, one at a time. That is the connection's event loop for bodies of every size, so what a
 * signature over the payload costs is paid there, piece by piece.
 *
 * <p>Bytes are handed out before all of them are verified: nobody may believe them until {@link
 * #end} has returned. After an exception a decoder is of no further use.
 */
public interface PayloadDecoder {
  /** The number of bytes that will come out, or {@link IncomingBody#UNKNOWN_LENGTH}. */
  long decodedLength();

  /**
   * Takes the next piece of the HTTP body, of any size, and consumes all of it.
   *
   * @param piece from position to limit
   * @param out receives none, one or more parts of {@code piece}, which share its memory
   * @throws S3Exception if the body is not what was signed or declared
   */
  void feed(ByteBuffer piece, Consumer<ByteBuffer> out);

  /**
   * Takes the end of the HTTP body.
   *
   * @throws S3Exception if the body ends too early or is not what was signed or declared
   */
  void end();

  /** The checksums whose values are in headers, or announced for the trailer: what to compute. */
  Set<ChecksumAlgorithm> announcedChecksums();

  /**
   * What the sender says of the decoded bytes, in headers, and in trailers once {@link #end} has
   * returned. Comparing is the receiver's part.
   */
  DeclaredDigests declaredDigests();
}
