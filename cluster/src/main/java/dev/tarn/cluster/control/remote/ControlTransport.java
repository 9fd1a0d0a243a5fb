package dev.tarn.cluster.control.remote;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Carries sealed messages to the control node, as bytes. */
public interface ControlTransport {
  /** The address of the control node, for messages to people. */
  String address();

  /**
   * Sends a request and returns its answer. Fails with a {@link NotSentException} if the request
   * certainly did not arrive, with another exception if that is unknown.
   */
  CompletionStage<Answer> exchange(String path, byte[] request, Duration timeoutMax);

  /**
   * An answer of the control node.
   *
   * @param status of HTTP; 200 for a sealed answer
   * @param bytes at most {@link ControlBinding#ANSWER_BYTES_MAX}
   */
  @SuppressWarnings("ArrayRecordComponent") // one answer, read by one caller
  record Answer(int status, byte[] bytes) {}

  /** The request did not reach the control node. */
  final class NotSentException extends Exception {
    private static final long serialVersionUID = 1;

    public NotSentException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
