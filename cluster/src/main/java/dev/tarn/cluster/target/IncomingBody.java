package dev.tarn.cluster.target;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** The bytes of a request's body. They flow only as fast as the receiver requests them. */
public interface IncomingBody {
  /** The length of a body whose sender did not declare it. */
  long UNKNOWN_LENGTH = -1;

  /** A body of no bytes, for requests without a body. */
  @SuppressWarnings("ClassInitializationDeadlock") // only this field uses EmptyBody
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
   * Whether the whole body has arrived, or so many bytes that its sender is not slow. A caller that
   * reserves something for a body until its end reserves it then. Otherwise the bytes that arrive
   * are collected, and the step runs once when the body has begun; it never runs if the sender
   * disconnects before. By default each body has begun.
   */
  default boolean hasBegun(Runnable later) {
    return true;
  }

  /**
   * The digests that the sender declared, in a header or after the body. They are final only when
   * the publisher has completed. The receiver verifies them before it commits.
   */
  DeclaredDigests declaredDigests();
}
