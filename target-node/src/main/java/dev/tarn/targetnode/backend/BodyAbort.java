package dev.tarn.targetnode.backend;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import software.amazon.awssdk.http.Abortable;

/** Closes a body whose rest nobody wants without reading it to its end. */
final class BodyAbort {
  private BodyAbort() {}

  static void abort(InputStream body) {
    if (body instanceof Abortable abortable) {
      abortable.abort();
    }
    try {
      body.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the body of a backend's answer", e);
    }
  }
}
