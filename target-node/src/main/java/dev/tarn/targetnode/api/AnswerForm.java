package dev.tarn.targetnode.api;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import io.vertx.core.http.HttpServerResponse;

/** How the outcome of a read or a failure looks to who asked. Content-Length is set by others. */
interface AnswerForm {
  /** Sets what the head says of a read; returns the bytes that precede the object's. */
  byte[] read(HttpServerResponse http, ObjectRead read);

  /** Sets what the head says of a failure; returns the body. */
  byte[] failure(HttpServerResponse http, Failure failure);
}
