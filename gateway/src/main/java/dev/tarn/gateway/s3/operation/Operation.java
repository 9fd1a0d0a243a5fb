package dev.tarn.gateway.s3.operation;

import dev.tarn.gateway.http.Response;
import java.util.concurrent.CompletionStage;

/** The handling of one kind of request. A failure is thrown as S3Exception, or fails the stage. */
public sealed interface Operation {
  /**
   * Whether the operation asks {@link S3Request#require} about the object that it finds. The
   * gateway looks at the object for other operations, before they begin.
   */
  default boolean judgesObject() {
    return false;
  }

  /** Runs on the event loop and never blocks; for reads and writes of objects. */
  non-sealed interface Direct extends Operation {
    /** Starts to answer. */
    CompletionStage<Response> answer(S3Request request);
  }

  /** Runs on a virtual thread and may block; for everything else. */
  non-sealed interface Blocking extends Operation {
    /**
     * Answers the request.
     *
     * @param document the request's body, verified; empty if there is none
     */
    Response answer(S3Request request, byte[] document);
  }
}
