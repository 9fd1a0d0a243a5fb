package dev.tarn.gateway.s3.operation;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.AccessList.Permission;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.policy.Action;
import dev.tarn.gateway.policy.Caller;
import dev.tarn.gateway.policy.Policies;
import dev.tarn.gateway.policy.Policy;
import dev.tarn.gateway.policy.Policy.Verdict;
import dev.tarn.gateway.policy.Question;
import dev.tarn.gateway.request.Headers;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The permissions of one caller for one bucket and its contents. The rules apply in this order:
 *
 * <ol>
 *   <li>Only the owner and admin users may read or change the bucket's policy, whatever the policy
 *       says.
 *   <li>An action that the policy denies is denied to everybody.
 *   <li>The owner and admin users may do everything else.
 *   <li>An action that the policy allows is allowed to the principals that it names.
 *   <li>The bucket's settings or its ACL may allow everybody, every user, or users to read, list or
 *       write, or to read or replace the ACL.
 *   <li>The initiator of an upload may list its parts and abort it.
 *   <li>An object's own ACL may allow everybody, every user, or users to read it, or to read or
 *       replace that ACL. It is known only with the object.
 * </ol>
 *
 * <p>The policy may compare the tags of the object. They are known only with the object, too.
 *
 * @param policies of all buckets
 * @param caller whose permissions these are
 * @param bucket the bucket
 * @param existingTags the tags of the object in question, none if there is no such object; null if
 *     nobody has looked yet
 */
public record BucketAccess(
    Policies policies, Caller caller, Bucket bucket, @Nullable Map<String, String> existingTags) {
  /** The permissions while no object is known. */
  public BucketAccess(Policies policies, Caller caller, Bucket bucket) {
    this(policies, caller, bucket, null);
  }

  public BucketAccess {
    requireNonNull(policies, "policies is null");
    requireNonNull(caller, "caller is null");
    requireNonNull(bucket, "bucket is null");
  }

  /** The decision about an action. */
  public enum Decision {
    ALLOWED,
    DENIED,
    /** Allowed if the object's own ACL allows it. */
    BY_OBJECT_ACL,
    /** Allowed to the initiator of the upload. */
    BY_INITIATOR,
    /** The bucket's policy compares the object's tags: decide again when they are known. */
    BY_OBJECT_TAGS
  }

  /** The same permissions, for an object with these tags. */
  public BucketAccess withTags(Map<String, String> tags) {
    return new BucketAccess(policies, caller, bucket, tags);
  }

  /** The same permissions, where there is no object yet, or none that matters. */
  public BucketAccess withoutObject() {
    return withTags(Map.of());
  }

  /** The permissions of the same caller for another bucket. */
  public BucketAccess to(Bucket other) {
    return new BucketAccess(policies, caller, other);
  }

  /**
   * The permissions of another user from the same address to make an object.
   *
   * @param user null for an anonymous caller
   * @param headers what the form says in place of headers
   */
  public BucketAccess by(@Nullable User user, Headers headers) {
    return new BucketAccess(policies, caller.byForm(user, headers), bucket).withoutObject();
  }

  /**
   * Decides whether an action is allowed.
   *
   * @param key of the object; empty for an action on the bucket
   * @param prefix the parameter of a listing; null if the request has none
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
    if (verdict == Verdict.DENIED_BY_TAGS) {
      return Decision.BY_OBJECT_TAGS;
    }
    if (owns
        || (verdict == Verdict.ALLOWED && !isRestricted())
        || isOpenBySettings(action)
        || isOpenByAcl(action)) {
      return Decision.ALLOWED;
    }
    if (verdict == Verdict.ALLOWED_BY_TAGS && !isRestricted()) {
      return Decision.BY_OBJECT_TAGS;
    }
    return switch (action) {
      case GET_OBJECT,
          GET_OBJECT_VERSION,
          GET_OBJECT_ACL,
          GET_OBJECT_VERSION_ACL,
          PUT_OBJECT_ACL,
          PUT_OBJECT_VERSION_ACL ->
          Decision.BY_OBJECT_ACL;
      // A backend does not know who began an upload.
      case ABORT_MULTIPART_UPLOAD, LIST_MULTIPART_UPLOAD_PARTS ->
          bucket.settings().backend().isPresent() ? Decision.DENIED : Decision.BY_INITIATOR;
      default -> Decision.DENIED;
    };
  }

  /**
   * Decides again, now that the object is known.
   *
   * @param decision without the object
   * @param withTags decides about an object with known tags
   * @param permission that the object's ACL must grant, if it decides
   * @param object null if there is none
   * @throws S3Exception AccessDenied
   */
  public void require(
      Decision decision,
      Function<BucketAccess, Decision> withTags,
      Permission permission,
      @Nullable ObjectMetadata object) {
    Decision known = decision;
    if (decision == Decision.BY_OBJECT_TAGS) {
      Map<String, String> tags = object == null ? Map.of() : object.attributes().tags();
      known = withTags.apply(withTags(tags));
    }
    if (known != Decision.ALLOWED
        && (known != Decision.BY_OBJECT_ACL
            || object == null
            || !isOpenByAcl(object, permission))) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
  }

  private boolean isOpenByAcl(ObjectMetadata object, Permission permission) {
    return isOpenByAcl(object.attributes().acl(), permission);
  }

  private boolean isOpenByAcl(AccessList acl, Permission permission) {
    User user = caller.user();
    return bucket
        .configuration()
        .access()
        .inForce(acl)
        .allows(permission, user == null ? null : user.id());
  }

  /** Whether the caller may list the keys. Only such a caller learns that a key is missing. */
  public boolean mayList() {
    return judge(Action.LIST_BUCKET, "", null) == Decision.ALLOWED;
  }

  /** Whether the caller may read the tags of an object, or of a version of it. */
  public boolean mayReadTags(ObjectKey key, Optional<String> version) {
    Action action =
        version.isEmpty() ? Action.GET_OBJECT_TAGGING : Action.GET_OBJECT_VERSION_TAGGING;
    return judge(action, key.text(), null) == Decision.ALLOWED;
  }

  /** Whether the bucket has a policy; a policy may allow anything to anybody. */
  boolean hasPolicy() {
    return bucket.configuration().policy().isPresent();
  }

  /**
   * Whether the bucket's policy allows nothing, because it is public and the bucket must not be.
   */
  private boolean isRestricted() {
    Policy policy = policies.of(bucket);
    return bucket.configuration().access().restrictsPublicBucket()
        && policy != null
        && policy.isPublic();
  }

  /** Whether the decision may depend on how the caller is connected, or on what page led to it. */
  public boolean isByConnection() {
    Policy policy = policies.of(bucket);
    return policy != null && policy.namesConnections();
  }

  private Verdict verdict(Action action, String key, @Nullable String prefix) {
    Policy policy = policies.of(bucket);
    if (policy == null) {
      return Verdict.SILENT;
    }
    String resource =
        action.subject() == Action.Subject.OBJECT ? bucket.name() + '/' + key : bucket.name();
    Verdict verdict = policy.judge(new Question(caller, action, resource, prefix, existingTags));
    if (bucket.settings().backend().isEmpty()) {
      return verdict;
    }
    // The tags of a backend's objects are never known.
    return switch (verdict) {
      case DENIED_BY_TAGS -> Verdict.DENIED;
      case ALLOWED_BY_TAGS -> Verdict.SILENT;
      default -> verdict;
    };
  }

  /**
   * Whether the action reads or changes the policy itself. The policy does not apply to these
   * actions. Otherwise an owner could not take back a policy that denies too much. A principal that
   * the policy allows everything could also lock out the owner.
   */
  private static boolean isOfPolicy(Action action) {
    return action == Action.GET_BUCKET_POLICY
        || action == Action.PUT_BUCKET_POLICY
        || action == Action.DELETE_BUCKET_POLICY;
  }

  /** Whether the caller is the owner or an admin user. */
  boolean owns() {
    User user = caller.user();
    return user != null && (user.admin() || user.id().equals(bucket.ownerId()));
  }

  /**
   * Whether the administrator has allowed everybody to read and list objects without a signature.
   */
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

  /**
   * The bucket's ACL applies to its listings and to writes into it, not to reads of its objects.
   */
  private boolean isOpenByAcl(Action action) {
    AccessList acl = bucket.configuration().acl();
    return switch (action) {
      case LIST_BUCKET, LIST_BUCKET_VERSIONS, LIST_BUCKET_MULTIPART_UPLOADS ->
          isOpenByAcl(acl, Permission.READ);
      case PUT_OBJECT -> isOpenByAcl(acl, Permission.WRITE);
      case GET_BUCKET_ACL -> isOpenByAcl(acl, Permission.READ_ACP);
      case PUT_BUCKET_ACL -> isOpenByAcl(acl, Permission.WRITE_ACP);
      default -> false;
    };
  }
}
