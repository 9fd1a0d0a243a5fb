package dev.tarn.cluster.target;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/**
 * The bytes that a caller gives to be stored. They flow only as fast as the receiver requests them.
 */
public interface IncomingBody {
  /** The length of a body whose sender did not declare it. */
  long UNKNOWN_LENGTH = -1;

  /** A body of no bytes; requests without a body are called with it. */
  IncomingBody EMPTY = new EmptyBody();

  /** The number of bytes, or {@link #UNKNOWN_LENGTH}. */
  long length();

  /**
   * The bytes, for one subscriber. Buffers have at most 256 KiB and are valid only until {@code
   * onNext} returns. The publisher fails if the bytes are not what was signed or declared, or if
   * the sender goes away; the receiver then stores nothing. A receiver that wants no body cancels.
   */
  Flow.Publisher<ByteBuffer> bytes();

  /**
   * The digests that the sender declared, in a header or behind the body: final only after the
   * publisher has completed. The receiver compares them with its own before it commits.
   */
  DeclaredDigests declaredDigests();
}
