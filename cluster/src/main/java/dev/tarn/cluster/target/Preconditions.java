package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.OptionalLong;

/**
 * The conditions under which a call is to be carried out, evaluated by the owner in one step with
 * the read or the commit. The order is that of S3: If-Match, If-Unmodified-Since (only where there
 * is no If-Match), If-None-Match, If-Modified-Since (only where there is no If-None-Match).
 *
 * @param ifMatch ETags without quotes, or {@code *}; empty for no condition
 * @param ifNoneMatch ETags without quotes, or {@code *}; empty for no condition
 * @param ifModifiedSinceMs milliseconds since 1970, compared by whole seconds
 * @param ifUnmodifiedSinceMs milliseconds since 1970, compared by whole seconds
 */
public record Preconditions(
    List<String> ifMatch,
    List<String> ifNoneMatch,
    OptionalLong ifModifiedSinceMs,
    OptionalLong ifUnmodifiedSinceMs) {
  /** No condition. */
  public static final Preconditions NONE =
      new Preconditions(List.of(), List.of(), OptionalLong.empty(), OptionalLong.empty());

  public Preconditions {
    ifMatch = List.copyOf(requireNonNull(ifMatch, "ifMatch is null"));
    ifNoneMatch = List.copyOf(requireNonNull(ifNoneMatch, "ifNoneMatch is null"));
    requireNonNull(ifModifiedSinceMs, "ifModifiedSinceMs is null");
    requireNonNull(ifUnmodifiedSinceMs, "ifUnmodifiedSinceMs is null");
  }

  /** Whether there is no condition at all. */
  public boolean isEmpty() {
    return ifMatch.isEmpty()
        && ifNoneMatch.isEmpty()
        && ifModifiedSinceMs.isEmpty()
        && ifUnmodifiedSinceMs.isEmpty();
  }
}
