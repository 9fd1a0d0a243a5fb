package dev.tarn.gateway.s3.operation;

import dev.tarn.gateway.http.Response;
import java.util.concurrent.CompletionStage;

/** What is done for one kind of request. Failures are thrown as S3Exception, or fail the stage. */
public sealed interface Operation {
  /** Runs on the event loop and never blocks: reads and writes of objects. */
  non-sealed interface Direct extends Operation {
    /** Begins to answer. */
    CompletionStage<Response> answer(S3Request request);
  }

  /** Runs on a virtual thread and may block: everything else. */
  non-sealed interface Blocking extends Operation {
    /**
     * Answers.
     *
     * @param document the request's body, verified; empty where there is none
     */
    Response answer(S3Request request, byte[] document);
  }
}
