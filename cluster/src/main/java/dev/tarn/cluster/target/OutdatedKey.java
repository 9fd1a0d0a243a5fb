package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;

/**
 * An object of which what the cache has may be outdated.
 *
 * @param etag that the object has now: an entry with this ETag is not outdated; empty if it is not
 *     known or the object is gone
 */
public record OutdatedKey(ObjectKey key, String etag) {
  public OutdatedKey {
    requireNonNull(key, "key is null");
    requireNonNull(etag, "etag is null");
  }
}
