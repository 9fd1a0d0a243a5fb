package dev.tarn.transport.server;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import io.vertx.core.http.HttpServerResponse;

/** The format of the reply to one kind of request. {@link ReplyWriter} sets Content-Length. */
interface ReplyForm {
  /** Sets the headers of a read; returns the bytes that precede the object's bytes. */
  byte[] read(HttpServerResponse http, ObjectRead read);

  /** Sets the headers of a failure; returns the body. */
  byte[] failure(HttpServerResponse http, Failure failure);
}
