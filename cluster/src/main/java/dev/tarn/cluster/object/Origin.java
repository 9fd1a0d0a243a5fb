package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The source of a cached object at the backend.
 *
 * @param etag identifies the backend's bytes: its ETag without quotes, or the text of a weak or a
 *     missing ETag, which the target chooses
 * @param version the backend's version id, if it keeps versions
 * @param validatedMs when the backend last confirmed it, in milliseconds since 1970; 0 if the
 *     backend has not described it yet
 * @param ownedSince the epoch since which the target had the slot of the key when it began to read
 *     the object from the backend; 0 if it did not have the slot
 */
public record Origin(String etag, @Nullable String version, long validatedMs, long ownedSince) {
  public Origin {
    requireNonNull(etag, "etag is null");
  }

  /** Whether the ETag identifies the bytes; a weak one, or one made of time and size, does not. */
  public boolean isStrong() {
    return !etag.startsWith("W/\"") && !etag.startsWith("T/\"");
  }
}
