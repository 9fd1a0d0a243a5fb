package dev.tarn.cluster.target;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** The bytes of a request's body. They flow only as fast as the receiver requests them. */
public interface IncomingBody {
  /** The length of a body whose sender did not declare it. */
  long UNKNOWN_LENGTH = -1;

  /** A body of no bytes, for requests without a body. */
  IncomingBody EMPTY = new EmptyBody();

  /** The number of bytes, or {@link #UNKNOWN_LENGTH}. */
  long length();

  /**
   * The bytes, for one subscriber. Buffers have at most 256 KiB and are valid only until {@code
   * onNext} returns. The publisher fails if the bytes do not match what was signed or declared, or
   * if the sender disconnects; the receiver then stores nothing. A receiver that needs no body
   * cancels.
   */
  Flow.Publisher<ByteBuffer> bytes();

  /**
   * The digests that the sender declared, in a header or after the body. They are final only when
   * the publisher has completed. The receiver verifies them before it commits.
   */
  DeclaredDigests declaredDigests();
}
