package dev.tarn.gateway.s3.operation;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.gateway.auth.Authentication;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Exchange;
import dev.tarn.gateway.request.RequestHead;
import dev.tarn.gateway.request.RequestTarget;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request whose operation is known, whose signature holds, and which may do what it asks, unless
 * the object's own ACL is against it.
 *
 * @param exchange where it came from and is answered
 * @param head parsed
 * @param operation what it asks
 * @param target what it addresses
 * @param authentication who asks
 * @param access to the bucket it addresses, or null where there is none
 * @param decision allowed, or whether the object's own ACL decides
 */
public record S3Request(
    Exchange exchange,
    RequestHead head,
    S3Operation operation,
    RequestTarget target,
    Authentication authentication,
    @Nullable BucketAccess access,
    Decision decision) {
  /** The router behind the gateway gives each call the epoch under which it chose the owner. */
  private static final long EPOCH_BY_ROUTER = 0;

  /** The bucket, for operations on one that exists. */
  public Bucket bucket() {
    return bucketAccess().bucket();
  }

  /** What the caller may do with the bucket, for operations on one that exists. */
  public BucketAccess bucketAccess() {
    return requireNonNull(access, "the operation has no bucket");
  }

  /** Whether who asks may be told which keys are missing. */
  boolean mayList() {
    return access == null || access.mayList();
  }

  /** Whether who asks may read the tags of the object. */
  public boolean mayReadTags() {
    return bucketAccess().mayReadTags(key(), version());
  }

  /** The object's key, for operations on objects. */
  public ObjectKey key() {
    if (target instanceof RequestTarget.OfObject(String ignored, ObjectKey key)) {
      return key;
    }
    throw new IllegalStateException(operation + " has no key");
  }

  /** The scope of calls to the target about the bucket. */
  public CallScope scope() {
    return scopeOf(bucket());
  }

  /** The scope of calls to the target about this bucket. */
  public static CallScope scopeOf(Bucket bucket) {
    return new CallScope(bucket.id(), bucket.settingsVersion(), EPOCH_BY_ROUTER);
  }

  /** Who signed, or null. */
  public @Nullable User user() {
    return authentication instanceof Authentication.Authenticated signed ? signed.user() : null;
  }

  /** Who signed, for operations that nobody may ask for anonymously. */
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

  /** The value of a query parameter, or this where there is none. */
  public String query(String name, String otherwise) {
    String value = query(name);
    return value == null ? otherwise : value;
  }

  /**
   * The version that the request names, as S3 shows it.
   *
   * @throws S3Exception InvalidArgument if it can be none
   */
  public Optional<String> version() {
    return checkedVersion(query("versionId"));
  }

  /**
   * A version that a request names, where it names one.
   *
   * @throws S3Exception InvalidArgument if it can be none
   */
  public static Optional<String> checkedVersion(@Nullable String version) {
    if (version == null || version.isEmpty()) {
      return Optional.empty();
    }
    if (!canBeVersion(version)) {
      throw Numbers.invalid("versionId", version, "Invalid version id specified");
    }
    return Optional.of(version);
  }

  /** Whether a version can have this text. */
  public static boolean canBeVersion(String text) {
    return text.equals(ObjectVersion.NULL_TEXT) || ObjectVersion.ofText(text).isPresent();
  }
}
