package dev.tarn.gateway.payload;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The Content-Encoding of an object, which is not that of its transfer. */
public final class ContentEncodings {
  private ContentEncodings() {}

  /** The values of the request's header without every aws-chunked; empty if nothing is left. */
  public static String ofObject(List<String> values) {
    return values.stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(String::strip)
        .filter(token -> !token.isEmpty() && !token.equalsIgnoreCase("aws-chunked"))
        .collect(Collectors.joining(","));
  }
}
