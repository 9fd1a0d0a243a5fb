package dev.tarn.gateway.s3.operation;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.gateway.auth.Authentication;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.policy.Action;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import dev.tarn.gateway.request.RequestTarget;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides whether a request is allowed. */
public final class Authorization {
  private static final String EXPECTED_OWNER = "x-amz-expected-bucket-owner";

  private Authorization() {}

  /**
   * Checks all permissions that an operation needs.
   *
   * @param access to the request's bucket; null if there is none
   * @return allowed, or what decides: the object's own ACL or its tags, or who began the upload
   * @throws S3Exception AccessDenied
   */
  public static Decision judge(
      S3Operation operation,
      RequestHead head,
      RequestTarget target,
      boolean signed,
      @Nullable BucketAccess access) {
    if (operation == S3Operation.POST_OBJECT) {
      // The form in the body names the principal. Permissions are checked after the form is read.
      return Decision.ALLOWED;
    }
    if (access == null || operation == S3Operation.CREATE_BUCKET) {
      return allowedIf(signed);
    }
    requireOwner(head.headers(), EXPECTED_OWNER, access.bucket());
    if (operation == S3Operation.DELETE_OBJECTS) {
      // The permissions for each key are checked when the key is known.
      return allowedIf(access.owns() || access.hasPolicy());
    }
    boolean ofVersion = hasVersion(head);
    String key = target instanceof RequestTarget.OfObject object ? object.key().text() : "";
    boolean listing = operation != S3Operation.HEAD_BUCKET;
    Decision decision = Decision.ALLOWED;
    for (Action action : operation.actions()) {
      String prefix = listing && action.isListing() ? prefix(head) : null;
      decision = both(decision, access.judge(ofVersion ? action.ofVersion() : action, key, prefix));
    }
    if (operation.actions().contains(Action.PUT_OBJECT)) {
      decision = both(decision, ofWhatComesAlong(head.headers(), access, key));
    }
    if (decision == Decision.DENIED) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
    return decision;
  }

  /**
   * Refuses an operation that depends on a query parameter which the signature does not cover.
   * Anybody could have added that parameter to a signed URL for another operation. ListObjectsV2 is
   * allowed, because its answer reveals no more than that of ListObjects.
   *
   * @throws S3Exception AccessDenied
   */
  public static void requireSigned(S3Operation operation, Authentication authentication) {
    if (!(authentication instanceof Authentication.Authenticated signed)
        || signed.scheme() != Authentication.Scheme.V2_QUERY
        || operation == S3Operation.LIST_OBJECTS_V2) {
      return;
    }
    String parameter = operation.subresource().replaceFirst("^copy ?", "");
    if (!parameter.isEmpty() && !signed.scheme().signsParameter(parameter)) {
      throw S3Exception.of(
          S3ErrorCode.ACCESS_DENIED,
          "A signature of version 2 does not cover the parameter " + parameter + ".");
    }
  }

  /**
   * Refuses a request if the bucket's owner is not the owner that the client expects.
   *
   * @param header the name of the header with the expected owner's id
   * @throws S3Exception AccessDenied
   */
  public static void requireOwner(Headers headers, String header, Bucket bucket) {
    String expected = headers.first(header);
    allowedIf(expected == null || expected.equals(bucket.ownerId()));
  }

  /**
   * Checks what a PutObject request does besides writing. What {@link #besidesWriting} says needs
   * the same permissions as separate requests. A precondition that reveals the object's content
   * needs permission to read the object.
   */
  private static Decision ofWhatComesAlong(Headers headers, BucketAccess access, String key) {
    Decision decision = Decision.ALLOWED;
    // The object is a new one, which has no tags yet.
    BucketAccess toNew = access.withoutObject();
    for (Action action : besidesWriting(headers)) {
      decision = both(decision, withoutAcl(toNew.judge(action, key, null)));
    }
    String ifNoneMatch = headers.first("if-none-match");
    if (headers.contains("if-match") || (ifNoneMatch != null && !ifNoneMatch.strip().equals("*"))) {
      decision = both(decision, withoutAcl(access.judge(Action.GET_OBJECT, key, null)));
    }
    return decision;
  }

  /** The actions, beside PutObject, that the headers of a write need permission for. */
  public static List<Action> besidesWriting(Headers headers) {
    List<Action> actions = new ArrayList<>(0);
    if (headers.contains("x-amz-tagging")) {
      actions.add(Action.PUT_OBJECT_TAGGING);
    }
    if (AclHeaders.isNamed(headers)) {
      actions.add(Action.PUT_OBJECT_ACL);
    }
    if (headers.contains(ObjectLock.MODE) || headers.contains(ObjectLock.RETAIN_UNTIL)) {
      actions.add(Action.PUT_OBJECT_RETENTION);
    }
    if (headers.contains(ObjectLock.LEGAL_HOLD)) {
      actions.add(Action.PUT_OBJECT_LEGAL_HOLD);
    }
    return actions;
  }

  /** A decision for which the ACL of the object does not count. */
  private static Decision withoutAcl(Decision decision) {
    return decision == Decision.BY_OBJECT_ACL ? Decision.DENIED : decision;
  }

  private static Decision both(Decision one, Decision other) {
    if (one == Decision.DENIED || other == Decision.DENIED) {
      return Decision.DENIED;
    }
    if (one == Decision.BY_OBJECT_TAGS || other == Decision.BY_OBJECT_TAGS) {
      return Decision.BY_OBJECT_TAGS;
    }
    return one == Decision.BY_OBJECT_ACL ? one : other;
  }

  private static boolean hasVersion(RequestHead head) {
    String version = head.query().isEmpty() ? null : head.query().first("versionId");
    return version != null && !version.isEmpty();
  }

  private static @Nullable String prefix(RequestHead head) {
    String prefix = head.query().isEmpty() ? null : head.query().first("prefix");
    if (prefix != null && prefix.length() > ObjectKey.BYTES_MAX) {
      throw S3Exception.of(S3ErrorCode.KEY_TOO_LONG);
    }
    return prefix;
  }

  private static Decision allowedIf(boolean condition) {
    if (condition) {
      return Decision.ALLOWED;
    }
    throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
  }
}
