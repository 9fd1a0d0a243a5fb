package dev.tarn.cluster.control.remote;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Carries sealed messages to the control node. It knows bytes, not what they say. */
public interface ControlTransport {
  /** Where the control node is, for messages to people. */
  String address();

  /**
   * Sends a request and gives its answer. Fails with a {@link NotSentException} where the request
   * has certainly not arrived, with another exception where nobody knows.
   */
  CompletionStage<Answer> exchange(String path, byte[] request, Duration timeoutMax);

  /**
   * What the control node said.
   *
   * @param status of HTTP; 200 for a sealed answer
   * @param bytes at most {@link ControlBinding#ANSWER_BYTES_MAX}
   */
  @SuppressWarnings("ArrayRecordComponent") // made for one answer, and read by one caller
  record Answer(int status, byte[] bytes) {}

  /** The control node was not reached. */
  final class NotSentException extends Exception {
    private static final long serialVersionUID = 1;

    /** With the reason. */
    public NotSentException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
