package dev.tarn.gateway.policy;

import static dev.tarn.gateway.policy.Action.Subject.BUCKET;
import static dev.tarn.gateway.policy.Action.Subject.OBJECT;
import static dev.tarn.gateway.policy.Action.Subject.SERVICE;

import java.util.Locale;

/** The permissions that operations need, with the names that policies use. */
public enum Action {
  LIST_ALL_MY_BUCKETS("ListAllMyBuckets", SERVICE),
  CREATE_BUCKET("CreateBucket", BUCKET),
  DELETE_BUCKET("DeleteBucket", BUCKET),
  LIST_BUCKET("ListBucket", BUCKET),
  LIST_BUCKET_VERSIONS("ListBucketVersions", BUCKET),
  LIST_BUCKET_MULTIPART_UPLOADS("ListBucketMultipartUploads", BUCKET),
  GET_BUCKET_LOCATION("GetBucketLocation", BUCKET),
  GET_BUCKET_ACL("GetBucketAcl", BUCKET),
  PUT_BUCKET_ACL("PutBucketAcl", BUCKET),
  GET_BUCKET_VERSIONING("GetBucketVersioning", BUCKET),
  PUT_BUCKET_VERSIONING("PutBucketVersioning", BUCKET),
  GET_BUCKET_NOTIFICATION("GetBucketNotification", BUCKET),
  GET_BUCKET_LOGGING("GetBucketLogging", BUCKET),
  GET_ACCELERATE_CONFIGURATION("GetAccelerateConfiguration", BUCKET),
  GET_BUCKET_REQUEST_PAYMENT("GetBucketRequestPayment", BUCKET),
  GET_BUCKET_POLICY("GetBucketPolicy", BUCKET),
  PUT_BUCKET_POLICY("PutBucketPolicy", BUCKET),
  DELETE_BUCKET_POLICY("DeleteBucketPolicy", BUCKET),
  GET_BUCKET_POLICY_STATUS("GetBucketPolicyStatus", BUCKET),
  GET_BUCKET_CORS("GetBucketCORS", BUCKET),
  PUT_BUCKET_CORS("PutBucketCORS", BUCKET),
  GET_LIFECYCLE_CONFIGURATION("GetLifecycleConfiguration", BUCKET),
  PUT_LIFECYCLE_CONFIGURATION("PutLifecycleConfiguration", BUCKET),
  GET_BUCKET_TAGGING("GetBucketTagging", BUCKET),
  PUT_BUCKET_TAGGING("PutBucketTagging", BUCKET),
  GET_BUCKET_WEBSITE("GetBucketWebsite", BUCKET),
  GET_BUCKET_OBJECT_LOCK_CONFIGURATION("GetBucketObjectLockConfiguration", BUCKET),
  PUT_BUCKET_OBJECT_LOCK_CONFIGURATION("PutBucketObjectLockConfiguration", BUCKET),
  GET_ENCRYPTION_CONFIGURATION("GetEncryptionConfiguration", BUCKET),
  GET_REPLICATION_CONFIGURATION("GetReplicationConfiguration", BUCKET),
  GET_BUCKET_PUBLIC_ACCESS_BLOCK("GetBucketPublicAccessBlock", BUCKET),
  PUT_BUCKET_PUBLIC_ACCESS_BLOCK("PutBucketPublicAccessBlock", BUCKET),
  GET_BUCKET_OWNERSHIP_CONTROLS("GetBucketOwnershipControls", BUCKET),
  PUT_BUCKET_OWNERSHIP_CONTROLS("PutBucketOwnershipControls", BUCKET),
  GET_OBJECT("GetObject", OBJECT),
  GET_OBJECT_VERSION("GetObjectVersion", OBJECT),
  PUT_OBJECT("PutObject", OBJECT),
  DELETE_OBJECT("DeleteObject", OBJECT),
  DELETE_OBJECT_VERSION("DeleteObjectVersion", OBJECT),
  GET_OBJECT_ATTRIBUTES("GetObjectAttributes", OBJECT),
  GET_OBJECT_VERSION_ATTRIBUTES("GetObjectVersionAttributes", OBJECT),
  GET_OBJECT_TAGGING("GetObjectTagging", OBJECT),
  GET_OBJECT_VERSION_TAGGING("GetObjectVersionTagging", OBJECT),
  PUT_OBJECT_TAGGING("PutObjectTagging", OBJECT),
  PUT_OBJECT_VERSION_TAGGING("PutObjectVersionTagging", OBJECT),
  DELETE_OBJECT_TAGGING("DeleteObjectTagging", OBJECT),
  DELETE_OBJECT_VERSION_TAGGING("DeleteObjectVersionTagging", OBJECT),
  GET_OBJECT_ACL("GetObjectAcl", OBJECT),
  GET_OBJECT_VERSION_ACL("GetObjectVersionAcl", OBJECT),
  PUT_OBJECT_ACL("PutObjectAcl", OBJECT),
  PUT_OBJECT_VERSION_ACL("PutObjectVersionAcl", OBJECT),
  GET_OBJECT_RETENTION("GetObjectRetention", OBJECT),
  PUT_OBJECT_RETENTION("PutObjectRetention", OBJECT),
  GET_OBJECT_LEGAL_HOLD("GetObjectLegalHold", OBJECT),
  PUT_OBJECT_LEGAL_HOLD("PutObjectLegalHold", OBJECT),
  BYPASS_GOVERNANCE_RETENTION("BypassGovernanceRetention", OBJECT),
  ABORT_MULTIPART_UPLOAD("AbortMultipartUpload", OBJECT),
  LIST_MULTIPART_UPLOAD_PARTS("ListMultipartUploadParts", OBJECT);

  private static final String SERVICE_PREFIX = "s3:";

  private final String policyName;
  private final String lowerCaseName;
  private final Subject subject;

  Action(String name, Subject subject) {
    this.policyName = SERVICE_PREFIX + name;
    this.lowerCaseName = policyName.toLowerCase(Locale.ROOT);
    this.subject = subject;
  }

  /** The kind of resource that an action applies to. */
  public enum Subject {
    SERVICE,
    BUCKET,
    OBJECT
  }

  /** The name in policies: {@code s3:GetObject}. */
  public String policyName() {
    return policyName;
  }

  /** The same name in lower case; policies are compared in lower case. */
  String lowerCaseName() {
    return lowerCaseName;
  }

  /** The kind of resource that the action applies to. */
  public Subject subject() {
    return subject;
  }

  /** The action for a request that names a version. */
  public Action ofVersion() {
    return switch (this) {
      case GET_OBJECT -> GET_OBJECT_VERSION;
      case DELETE_OBJECT -> DELETE_OBJECT_VERSION;
      case GET_OBJECT_ATTRIBUTES -> GET_OBJECT_VERSION_ATTRIBUTES;
      case GET_OBJECT_TAGGING -> GET_OBJECT_VERSION_TAGGING;
      case PUT_OBJECT_TAGGING -> PUT_OBJECT_VERSION_TAGGING;
      case DELETE_OBJECT_TAGGING -> DELETE_OBJECT_VERSION_TAGGING;
      case GET_OBJECT_ACL -> GET_OBJECT_VERSION_ACL;
      case PUT_OBJECT_ACL -> PUT_OBJECT_VERSION_ACL;
      default -> this;
    };
  }

  /** Whether the tags of the object that exists can be a condition of the action, as on AWS. */
  boolean isOfExistingObject() {
    return switch (this) {
      case GET_OBJECT,
          GET_OBJECT_VERSION,
          GET_OBJECT_ATTRIBUTES,
          GET_OBJECT_VERSION_ATTRIBUTES,
          GET_OBJECT_TAGGING,
          GET_OBJECT_VERSION_TAGGING,
          PUT_OBJECT_TAGGING,
          PUT_OBJECT_VERSION_TAGGING,
          DELETE_OBJECT_TAGGING,
          DELETE_OBJECT_VERSION_TAGGING,
          GET_OBJECT_ACL,
          GET_OBJECT_VERSION_ACL,
          PUT_OBJECT_ACL,
          PUT_OBJECT_VERSION_ACL ->
          true;
      default -> false;
    };
  }

  /** Whether a request's {@code prefix} restricts the action. */
  public boolean isListing() {
    return this == LIST_BUCKET || this == LIST_BUCKET_VERSIONS;
  }
}
