package dev.tarn.gateway.s3.operation;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.gateway.policy.Action;
import dev.tarn.gateway.policy.Caller;
import dev.tarn.gateway.policy.Policies;
import dev.tarn.gateway.policy.Policy;
import dev.tarn.gateway.policy.Policy.Verdict;
import dev.tarn.gateway.policy.Question;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one caller may do with one bucket and what is in it. In this order: the bucket's policy is
 * its owner's and the admin users', whatever it says; what it denies nobody may; the owner and
 * admin users may everything else; what the policy allows everybody may whom it names; whom the
 * bucket's settings or its ACL let read and list may that; an object may be read by whom its own
 * ACL lets, which is known with the object alone.
 *
 * @param policies of all buckets
 * @param caller who asks
 * @param bucket about what
 */
public record BucketAccess(Policies policies, Caller caller, Bucket bucket) {
  public BucketAccess {
    requireNonNull(policies, "policies is null");
    requireNonNull(caller, "caller is null");
    requireNonNull(bucket, "bucket is null");
  }

  /** What is said of an action. */
  public enum Decision {
    ALLOWED,
    DENIED,
    /** Allowed if the object's own ACL says so. */
    BY_OBJECT_ACL
  }

  /** What the same caller may do with another bucket. */
  public BucketAccess to(Bucket other) {
    return new BucketAccess(policies, caller, other);
  }

  /** What another user, or nobody for null, may do from the same place. */
  public BucketAccess by(@Nullable User user) {
    return new BucketAccess(policies, new Caller(user, caller.address()), bucket);
  }

  /**
   * Whether an action is allowed.
   *
   * @param key of the object; empty for an action on the bucket
   * @param prefix of a listing; null for what is no listing
   */
  public Decision judge(Action action, String key, @Nullable String prefix) {
    boolean owns = owns();
    if (isOfPolicy(action)) {
      return owns ? Decision.ALLOWED : Decision.DENIED;
    }
    Verdict verdict = verdict(action, key, prefix);
    if (verdict == Verdict.DENIED) {
      return Decision.DENIED;
    }
    if (owns || verdict == Verdict.ALLOWED || isOpenBySettings(action) || isOpenByAcl(action)) {
      return Decision.ALLOWED;
    }
    return action == Action.GET_OBJECT || action == Action.GET_OBJECT_VERSION
        ? Decision.BY_OBJECT_ACL
        : Decision.DENIED;
  }

  /** Whether the caller may see which keys there are, and so be told that one is missing. */
  public boolean mayList() {
    return judge(Action.LIST_BUCKET, "", null) == Decision.ALLOWED;
  }

  /** Whether the caller may read the tags of an object, or of a version of it. */
  public boolean mayReadTags(ObjectKey key, Optional<String> version) {
    Action action =
        version.isEmpty() ? Action.GET_OBJECT_TAGGING : Action.GET_OBJECT_VERSION_TAGGING;
    return judge(action, key.text(), null) == Decision.ALLOWED;
  }

  /** Whether there is a policy, which may allow anything to anybody. */
  boolean hasPolicy() {
    return bucket.configuration().policy().isPresent();
  }

  /** Whether it may depend on where the caller is. */
  public boolean isByAddress() {
    Policy policy = policies.of(bucket);
    return policy != null && policy.namesAddresses();
  }

  private Verdict verdict(Action action, String key, @Nullable String prefix) {
    Policy policy = policies.of(bucket);
    if (policy == null) {
      return Verdict.SILENT;
    }
    String resource =
        action.subject() == Action.Subject.OBJECT ? bucket.name() + '/' + key : bucket.name();
    return policy.judge(new Question(caller, action, resource, prefix));
  }

  /**
   * Else who denies too much could never take it back, and whom a policy allows everything could
   * lock out the owner.
   */
  private static boolean isOfPolicy(Action action) {
    return action == Action.GET_BUCKET_POLICY
        || action == Action.PUT_BUCKET_POLICY
        || action == Action.DELETE_BUCKET_POLICY;
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
}
