package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.OptionalInt;

/**
 * A CORSRule of S3: the web pages that may use a bucket, and how.
 *
 * @param id for its owner; may be empty
 * @param allowedOrigins at least one, each with at most one {@code *}
 * @param allowedMethods at least one of GET, PUT, HEAD, POST, DELETE
 * @param allowedHeaders that a preflight may request, each with at most one {@code *}
 * @param exposeHeaders that a page may read in answers
 * @param maxAgeSeconds how long a browser may cache the answer to a preflight
 */
public record CorsRule(
    String id,
    List<String> allowedOrigins,
    List<String> allowedMethods,
    List<String> allowedHeaders,
    List<String> exposeHeaders,
    OptionalInt maxAgeSeconds) {
  public CorsRule {
    requireNonNull(id, "id is null");
    allowedOrigins = List.copyOf(allowedOrigins);
    allowedMethods = List.copyOf(allowedMethods);
    allowedHeaders = List.copyOf(allowedHeaders);
    exposeHeaders = List.copyOf(exposeHeaders);
    requireNonNull(maxAgeSeconds, "maxAgeSeconds is null");
    if (allowedOrigins.isEmpty() || allowedMethods.isEmpty()) {
      throw new IllegalArgumentException("a CORS rule needs an origin and a method");
    }
  }
}
