package dev.tarn.gateway.payload;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The Content-Encoding of an object, without the encoding of its transfer. */
public final class ContentEncodings {
  private ContentEncodings() {}

  /** Joins the values of the request's header without aws-chunked; empty if nothing is left. */
  public static String ofObject(List<String> values) {
    return values.stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(String::strip)
        .filter(token -> !token.isEmpty() && !token.equalsIgnoreCase("aws-chunked"))
        .collect(Collectors.joining(","));
  }
}
