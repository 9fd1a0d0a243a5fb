package dev.tarn.gateway.payload;

import java.util.List;
import java.util.stream.Collectors;

/** The Content-Encoding of an object, without the encoding of its transfer. */
public final class ContentEncodings {
  private ContentEncodings() {}

  /**
   * Joins the values of the request's header without aws-chunked; empty if nothing is left. Other
   * encodings keep their spelling and the white space between them.
   */
  public static String ofObject(List<String> values) {
    return values.stream()
        .map(ContentEncodings::withoutTransfer)
        .filter(value -> !value.isEmpty())
        .collect(Collectors.joining(","));
  }

  private static String withoutTransfer(String value) {
    List<String> tokens = List.of(value.split(",", -1));
    List<String> kept = tokens.stream().filter(token -> !isTransfer(token)).toList();
    return kept.size() == tokens.size()
        ? value.strip()
        : kept.stream().filter(token -> !token.isBlank()).collect(Collectors.joining(",")).strip();
  }

  private static boolean isTransfer(String token) {
    return token.strip().equalsIgnoreCase("aws-chunked");
  }
}
