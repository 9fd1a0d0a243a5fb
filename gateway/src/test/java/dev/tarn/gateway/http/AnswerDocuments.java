package dev.tarn.gateway.http;

import java.util.Optional;

/** Looks into answers that nobody has written yet. */
public final class AnswerDocuments {
  private AnswerDocuments() {}

  /** The document that an answer has as its body. */
  public static Optional<byte[]> of(Response answer) {
    return answer.body() instanceof Response.Document document
        ? Optional.of(document.bytes())
        : Optional.empty();
  }
}
