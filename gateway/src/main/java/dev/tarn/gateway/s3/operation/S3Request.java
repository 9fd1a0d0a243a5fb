package dev.tarn.gateway.s3.operation;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.AccessList.Permission;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.gateway.auth.Authentication;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Exchange;
import dev.tarn.gateway.request.RequestHead;
import dev.tarn.gateway.request.RequestTarget;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request with a known operation and a verified signature. The request is allowed, unless its
 * decision leaves that to the object's own ACL or tags.
 *
 * @param exchange the request's exchange
 * @param head the parsed head
 * @param operation the requested operation
 * @param target the requested resource
 * @param authentication who signed
 * @param access to the request's bucket; null if there is none
 * @param decision allowed, or whether the object's own ACL or its tags decide
 * @param context of the calls to targets
 */
public record S3Request(
    Exchange exchange,
    RequestHead head,
    S3Operation operation,
    RequestTarget target,
    Authentication authentication,
    @Nullable BucketAccess access,
    Decision decision,
    CallContext context)
    implements ObjectPermission {
  /** The router behind the gateway sets the epoch of the slot and the deadline of each call. */
  private static final long SINCE_BY_ROUTER = 0;

  /** The version ids of AWS have at most 1,024 characters. */
  private static final int BACKEND_VERSION_LENGTH_MAX = 1024;

  /** The bucket, for operations on an existing bucket. */
  public Bucket bucket() {
    return bucketAccess().bucket();
  }

  /** The caller's permissions for the bucket, for operations on an existing bucket. */
  public BucketAccess bucketAccess() {
    return requireNonNull(access, "the operation has no bucket");
  }

  /** Whether the caller may learn which keys are missing. */
  boolean mayList() {
    return access == null || access.mayList();
  }

  /** Whether the caller may read these tags of the object. */
  public boolean mayReadTags(Map<String, String> tags) {
    return bucketAccess().withTags(tags).mayReadTags(key(), version());
  }

  @Override
  public void require(@Nullable ObjectMetadata object) {
    bucketAccess()
        .require(
            decision,
            known -> Authorization.judge(operation, head, target, user() != null, known),
            switch (operation) {
              case GET_OBJECT_ACL -> Permission.READ_ACP;
              case PUT_OBJECT_ACL -> Permission.WRITE_ACP;
              default -> Permission.READ;
            },
            object);
  }

  /** The object's key, for operations on objects. */
  public ObjectKey key() {
    if (target instanceof RequestTarget.OfObject(String ignored, ObjectKey key)) {
      return key;
    }
    throw new IllegalStateException(operation + " has no key");
  }

  /** The scope of target calls about the request's bucket. */
  public CallScope scope() {
    return scopeOf(bucket());
  }

  /** The scope of a listing of the request's bucket. */
  public CallScope listingScope() {
    return bucket().settings().listing() == BucketSettings.Listing.PARTIAL
        ? scope().answeredBy(Answerer.WHO_IS_THERE)
        : scope();
  }

  /** The scope of target calls about this bucket. */
  public CallScope scopeOf(Bucket bucket) {
    return new CallScope(bucket.id(), bucket.settingsVersion(), SINCE_BY_ROUTER, context);
  }

  /** Whether the caller has the keys of a user: the holder of a presigned URL has not. */
  public boolean isSignedInHeader() {
    return authentication instanceof Authentication.Authenticated signed
        && signed.scheme() == Authentication.Scheme.V4_HEADER;
  }

  /** The user who signed; null for anonymous. */
  public @Nullable User user() {
    return authentication instanceof Authentication.Authenticated signed ? signed.user() : null;
  }

  /**
   * The user who signed, for operations that anonymous callers may not use.
   *
   * @throws S3Exception AccessDenied for anonymous
   */
  public User signer() {
    User user = user();
    if (user == null) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
    return user;
  }

  /** The value of a header, or null. */
  public @Nullable String header(String lowerCaseName) {
    return head.headers().first(lowerCaseName);
  }

  /** The value of a query parameter, or null. */
  public @Nullable String query(String name) {
    return head.query().isEmpty() ? null : head.query().first(name);
  }

  /** The value of a query parameter, or a default if it is missing. */
  public String query(String name, String otherwise) {
    String value = query(name);
    return value == null ? otherwise : value;
  }

  /**
   * The version that the request names, as S3 shows it.
   *
   * @throws S3Exception InvalidArgument if no version can have this text
   */
  public Optional<String> version() {
    return checkedVersion(bucket(), query("versionId"));
  }

  /**
   * The version that a request names; empty if it names none.
   *
   * @throws S3Exception InvalidArgument if no version in the bucket can have this text
   */
  public static Optional<String> checkedVersion(Bucket bucket, @Nullable String version) {
    if (version == null) {
      return Optional.empty();
    }
    if (version.isEmpty()) {
      throw Numbers.invalid("versionId", version, "Version id cannot be the empty string");
    }
    if (!canBeVersion(bucket, version)) {
      throw Numbers.invalid("versionId", version, "Invalid version id specified");
    }
    return Optional.of(version);
  }

  /** Whether a version in the bucket can have this text. A backend has version ids of its own. */
  public static boolean canBeVersion(Bucket bucket, String text) {
    return bucket.settings().backend().isPresent()
        ? text.length() <= BACKEND_VERSION_LENGTH_MAX
        : text.equals(ObjectVersion.NULL_TEXT) || ObjectVersion.ofText(text).isPresent();
  }
}
