package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Where a cached object came from.
 *
 * @param etag the backend's ETag without quotes
 * @param version the backend's version id, if it keeps versions
 * @param validatedMs when the backend last confirmed it, in milliseconds since 1970
 * @param state how the cached copy stands to the backend's
 */
public record Origin(String etag, @Nullable String version, long validatedMs, State state) {
  /** How a cached copy stands to the backend's. */
  public enum State {
    /** The backend has it too: it may be evicted. */
    CLEAN,
    /** Not yet written to the backend: it must not be evicted. */
    DIRTY,
    /** Deleted here, not yet at the backend. */
    DIRTY_DELETE
  }

  public Origin {
    requireNonNull(etag, "etag is null");
    requireNonNull(state, "state is null");
  }
}
