package dev.tarn.gateway.request;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;

/** The resource that a request addresses. */
public sealed interface RequestTarget {
  /** The service itself. */
  record Service() implements RequestTarget {}

  /**
   * A bucket; it may not exist.
   *
   * @param bucket as sent: not checked against the rules for names
   */
  record OfBucket(String bucket) implements RequestTarget {
    public OfBucket {
      requireNonNull(bucket, "bucket is null");
    }
  }

  /**
   * An object; it may not exist.
   *
   * @param bucket as sent: not checked against the rules for names
   * @param key decoded once, never normalised
   */
  record OfObject(String bucket, ObjectKey key) implements RequestTarget {
    public OfObject {
      requireNonNull(bucket, "bucket is null");
      requireNonNull(key, "key is null");
    }
  }
}
