package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Where a cached object comes from.
 *
 * @param etag the backend's ETag without quotes
 * @param version the backend's version id, if it keeps versions
 * @param validatedMs when the backend last confirmed it, in milliseconds since 1970
 */
public record Origin(String etag, @Nullable String version, long validatedMs) {
  public Origin {
    requireNonNull(etag, "etag is null");
  }
}
