package dev.tarn.gateway.s3.operation;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import java.util.Set;

/** Canned ACLs, as requests name them and objects store them. */
public final class CannedAcls {
  public static final String HEADER = ObjectAttributes.ACL;

  /**
   * These have the same effect as private: the bucket's owner owns every object, whoever wrote it.
   */
  private static final Set<String> AS_PRIVATE =
      Set.of("bucket-owner-full-control", "bucket-owner-read");

  /** These allow something to services of AWS. */
  private static final Set<String> NOT_IMPLEMENTED = Set.of("aws-exec-read", "log-delivery-write");

  /** Uploads may name this ACL where ACLs are disabled. */
  private static final String OF_DISABLED_ACLS = "bucket-owner-full-control";

  private CannedAcls() {}

  /**
   * The ACL that a request names; private if it names none.
   *
   * @throws S3Exception NotImplemented, InvalidArgument
   */
  public static CannedAcl ofHeader(Headers headers) {
    String name = headers.first(HEADER);
    return name == null ? CannedAcl.PRIVATE : parse(name);
  }

  private static CannedAcl parse(String name) {
    for (CannedAcl acl : CannedAcl.values()) {
      if (name.equals(acl.text())) {
        return acl;
      }
    }
    if (AS_PRIVATE.contains(name)) {
      return CannedAcl.PRIVATE;
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
  public static CannedAcl ofObject(Headers headers, Bucket bucket) {
    String name = headers.first(HEADER);
    if (name != null && !name.equals(OF_DISABLED_ACLS)) {
      requireInForce(bucket);
    }
    CannedAcl acl = ofHeader(headers);
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
  public static void requireUnblocked(CannedAcl acl, Bucket bucket) {
    if (acl.allowsOthers() && bucket.configuration().access().blocksPublicAcls()) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
  }

  /**
   * Refuses an ACL that objects of the bucket cannot have.
   *
   * @throws S3Exception NotImplemented, AccessDenied
   */
  public static void requireKept(CannedAcl acl, Bucket bucket) {
    requireUnblocked(acl, bucket);
    if (acl != CannedAcl.PRIVATE && bucket.settings().backend().isPresent()) {
      throw S3Exception.of(
              S3ErrorCode.NOT_IMPLEMENTED,
              "Objects of a bucket with a backend cannot have an ACL of their own.")
          .with("Header", HEADER);
    }
  }

  /** The ACL that an object has. */
  public static CannedAcl of(ObjectMetadata object) {
    String text = object.attributes().headers().get(HEADER);
    for (CannedAcl acl : CannedAcl.values()) {
      if (acl.text().equals(text)) {
        return acl;
      }
    }
    return CannedAcl.PRIVATE;
  }
}
