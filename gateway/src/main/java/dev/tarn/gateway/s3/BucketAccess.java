package dev.tarn.gateway.s3;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.gateway.policy.Action;
import dev.tarn.gateway.policy.Caller;
import org.jspecify.annotations.Nullable;

/**
 * What one caller may do with one bucket and what is in it. In this order: the owner and admin
 * users may everything; whom the bucket's settings or its ACL let read and list may that; an object
 * may be read by whom its own ACL lets, which is known with the object alone.
 *
 * @param caller who asks
 * @param bucket about what
 */
record BucketAccess(Caller caller, Bucket bucket) {
  BucketAccess {
    requireNonNull(caller, "caller is null");
    requireNonNull(bucket, "bucket is null");
  }

  /** What is said of an action. */
  enum Ruling {
    ALLOWED,
    DENIED,
    /** Allowed if the object's own ACL says so. */
    BY_OBJECT_ACL
  }

  /** What the same caller may do with another bucket. */
  BucketAccess to(Bucket other) {
    return new BucketAccess(caller, other);
  }

  /**
   * Whether an action is allowed.
   *
   * @param key of the object; empty for an action on the bucket
   */
  Ruling judge(Action action, String key) {
    if (owns() || isOpenBySettings(action) || isOpenByAcl(action)) {
      return Ruling.ALLOWED;
    }
    return action == Action.GET_OBJECT || action == Action.GET_OBJECT_VERSION
        ? Ruling.BY_OBJECT_ACL
        : Ruling.DENIED;
  }

  /** Whether the caller may see which keys there are, and so be told that one is missing. */
  boolean mayList() {
    return judge(Action.LIST_BUCKET, "") == Ruling.ALLOWED;
  }

  /** Whether the bucket is the caller's as if it were the owner. */
  boolean owns() {
    User user = caller.user();
    return user != null && (user.admin() || user.id().equals(bucket.ownerId()));
  }

  /** The administrator's word: objects may be read and listed without a signature. */
  private boolean isOpenBySettings(Action action) {
    return bucket.settings().anonymousRead()
        && switch (action) {
          case LIST_BUCKET,
              LIST_BUCKET_VERSIONS,
              GET_BUCKET_LOCATION,
              GET_OBJECT,
              GET_OBJECT_VERSION,
              GET_OBJECT_ATTRIBUTES,
              GET_OBJECT_VERSION_ATTRIBUTES ->
              true;
          default -> false;
        };
  }

  /** The bucket's ACL is about its listings, not about the objects in it. */
  private boolean isOpenByAcl(Action action) {
    return bucket.configuration().acl() == CannedAcl.PUBLIC_READ
        && switch (action) {
          case LIST_BUCKET, LIST_BUCKET_VERSIONS, LIST_BUCKET_MULTIPART_UPLOADS -> true;
          default -> false;
        };
  }

  /** The access of this caller, or null where there is no such bucket. */
  static @Nullable BucketAccess of(Caller caller, @Nullable Bucket bucket) {
    return bucket == null ? null : new BucketAccess(caller, bucket);
  }
}
