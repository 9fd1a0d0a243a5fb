package dev.tarn.gateway.s3.operation;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.AccessList.Permission;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** ACLs as the headers of requests name them: a canned one, or grants. */
public final class AclHeaders {
  public static final String HEADER = ObjectAttributes.ACL;

  /**
   * These have the same effect as private: the bucket's owner owns every object, whoever wrote it.
   */
  private static final Set<String> AS_PRIVATE =
      Set.of("bucket-owner-full-control", "bucket-owner-read");

  private static final Map<String, Permission> GRANTS =
      Map.of(
          "x-amz-grant-read", Permission.READ,
          "x-amz-grant-write", Permission.WRITE,
          "x-amz-grant-read-acp", Permission.READ_ACP,
          "x-amz-grant-write-acp", Permission.WRITE_ACP,
          "x-amz-grant-full-control", Permission.FULL_CONTROL);

  /** The headers that grant something. */
  public static final Set<String> GRANT_HEADERS = GRANTS.keySet();

  private static final Map<String, String> GROUPS =
      Map.of(
          "http://acs.amazonaws.com/groups/global/AllUsers", AccessList.EVERYBODY,
          "http://acs.amazonaws.com/groups/global/AuthenticatedUsers", AccessList.EVERY_USER);

  /** The greatest number of grants in an ACL, as on AWS. */
  private static final int GRANTS_MAX = 100;

  /** These allow something to services of AWS. */
  private static final Set<String> NOT_IMPLEMENTED = Set.of("aws-exec-read", "log-delivery-write");

  /** Uploads may name this ACL where ACLs are disabled. */
  private static final String OF_DISABLED_ACLS = "bucket-owner-full-control";

  private AclHeaders() {}

  /** Whether a request's headers name an ACL. */
  public static boolean isNamed(Headers headers) {
    return headers.contains(HEADER) || hasGrants(headers);
  }

  private static boolean hasGrants(Headers headers) {
    for (int index = 0; index < headers.size(); index++) {
      if (GRANTS.containsKey(headers.nameAt(index))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The ACL that a request's headers name; private if they name none.
   *
   * @param ownerId the owner's, who needs no grant
   * @throws S3Exception NotImplemented, InvalidArgument, InvalidRequest
   */
  public static AccessList ofHeaders(Headers headers, String ownerId) {
    String name = headers.first(HEADER);
    boolean grants = hasGrants(headers);
    if (name == null) {
      return grants ? granted(headers, ownerId) : AccessList.PRIVATE;
    }
    if (grants) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "Specifying both Canned ACLs and Header Grants is not allowed");
    }
    return canned(name);
  }

  private static AccessList granted(Headers headers, String ownerId) {
    AccessList acl = AccessList.PRIVATE;
    for (Map.Entry<String, Permission> grant : GRANTS.entrySet()) {
      for (String value : headers.all(grant.getKey())) {
        for (String grantee : value.split(",", -1)) {
          acl = with(acl, grant.getValue(), grantee(grant.getKey(), grantee), ownerId);
        }
      }
    }
    return acl;
  }

  private static String grantee(String header, String text) {
    String[] parts = text.strip().split("=", 2);
    String value = parts.length < 2 ? "" : parts[1].strip().replaceAll("^\"|\"$", "");
    return switch (parts[0].strip()) {
      case "id" -> user(value);
      case "uri" ->
          group(value).orElseThrow(() -> Numbers.invalid(header, value, "Invalid group uri"));
      case "emailAddress" ->
          throw S3Exception.of(
              S3ErrorCode.NOT_IMPLEMENTED, "Grants by e-mail address are not implemented.");
      default -> throw Numbers.invalid(header, text, "A grantee is id=\"...\" or uri=\"...\".");
    };
  }

  /**
   * The grantee that is the user of this id.
   *
   * @throws S3Exception InvalidArgument for what is the id of no user
   */
  public static String user(String id) {
    if (uri(id).isPresent()) {
      throw Numbers.invalid("CanonicalUser/ID", id, "Invalid id");
    }
    return id;
  }

  /** The grantee that is the group of this URI; empty if it is none that can be granted to. */
  public static Optional<String> group(String uri) {
    return Optional.ofNullable(GROUPS.get(uri));
  }

  /** The URI of a grantee; empty if it is a user. */
  public static Optional<String> uri(String grantee) {
    return GROUPS.entrySet().stream()
        .filter(group -> group.getValue().equals(grantee))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * An ACL with one more grant, unless it is the owner's.
   *
   * @throws S3Exception InvalidArgument, InvalidRequest
   */
  public static AccessList with(
      AccessList acl, Permission permission, String grantee, String ownerId) {
    if (grantee.equals(ownerId)) {
      return acl;
    }
    AccessList more;
    try {
      more = acl.with(permission, grantee);
    } catch (IllegalArgumentException e) {
      throw Numbers.invalid("CanonicalUser/ID", grantee, "Invalid id");
    }
    if (more.grants().values().stream().mapToInt(Set::size).sum() > GRANTS_MAX) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST, "An ACL has at most " + GRANTS_MAX + " grants.");
    }
    return more;
  }

  /**
   * Refuses an ACL that grants something to nobody's id.
   *
   * @throws S3Exception InvalidArgument
   */
  public static void requireUsers(AccessList acl, Predicate<String> isUser) {
    for (Set<String> grantees : acl.grants().values()) {
      for (String grantee : grantees) {
        if (uri(grantee).isEmpty() && !isUser.test(grantee)) {
          throw Numbers.invalid("CanonicalUser/ID", grantee, "Invalid id");
        }
      }
    }
  }

  private static AccessList canned(String name) {
    Optional<AccessList> acl = AccessList.canned(name);
    if (acl.isPresent()) {
      return acl.orElseThrow();
    }
    if (AS_PRIVATE.contains(name)) {
      return AccessList.PRIVATE;
    }
    if (NOT_IMPLEMENTED.contains(name)) {
      throw S3Exception.of(
              S3ErrorCode.NOT_IMPLEMENTED,
              "The canned ACL " + name + " is not implemented: it is for services of AWS.")
          .with("Header", HEADER);
    }
    throw Numbers.invalid(HEADER, name, "There is no such canned ACL.");
  }

  /**
   * The ACL that an object will have.
   *
   * @throws S3Exception NotImplemented for a public ACL in a bucket with a backend, which would not
   *     store it; AccessControlListNotSupported, AccessDenied
   */
  public static AccessList ofObject(Headers headers, Bucket bucket) {
    String name = headers.first(HEADER);
    if (isNamed(headers) && !OF_DISABLED_ACLS.equals(name)) {
      requireInForce(bucket);
    }
    AccessList acl = ofHeaders(headers, bucket.ownerId());
    requireKept(acl, bucket);
    return acl;
  }

  /**
   * Refuses every ACL if the bucket has disabled them.
   *
   * @throws S3Exception AccessControlListNotSupported
   */
  public static void requireInForce(Bucket bucket) {
    if (bucket.configuration().access().disablesAcls()) {
      throw S3Exception.of(S3ErrorCode.ACCESS_CONTROL_LIST_NOT_SUPPORTED);
    }
  }

  /**
   * Refuses a public ACL if the bucket blocks them.
   *
   * @throws S3Exception AccessDenied
   */
  public static void requireUnblocked(AccessList acl, Bucket bucket) {
    if (acl.isPublic() && bucket.configuration().access().blocksPublicAcls()) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
  }

  /**
   * Refuses an ACL that objects of the bucket cannot have.
   *
   * @throws S3Exception NotImplemented, AccessDenied
   */
  public static void requireKept(AccessList acl, Bucket bucket) {
    requireUnblocked(acl, bucket);
    if (!acl.equals(AccessList.PRIVATE) && bucket.settings().backend().isPresent()) {
      throw S3Exception.of(
              S3ErrorCode.NOT_IMPLEMENTED,
              "Objects of a bucket with a backend cannot have an ACL of their own.")
          .with("Header", HEADER);
    }
  }
}
