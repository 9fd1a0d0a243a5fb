package dev.tarn.gateway.s3.operation;

import static dev.tarn.gateway.s3.operation.S3Operation.Level.BUCKET;
import static dev.tarn.gateway.s3.operation.S3Operation.Level.OBJECT;
import static dev.tarn.gateway.s3.operation.S3Operation.Level.SERVICE;

import dev.tarn.gateway.policy.Action;
import java.util.List;

/**
 * The supported operations, by method, level and subresource. All other requests are refused. A
 * request for an unknown subresource never falls back to the plain operation.
 */
public enum S3Operation {
  LIST_BUCKETS("ListBuckets", "GET", SERVICE, "", Action.LIST_ALL_MY_BUCKETS),

  CREATE_BUCKET("CreateBucket", "PUT", BUCKET, "", Action.CREATE_BUCKET),
  HEAD_BUCKET("HeadBucket", "HEAD", BUCKET, "", Action.LIST_BUCKET),
  DELETE_BUCKET("DeleteBucket", "DELETE", BUCKET, "", Action.DELETE_BUCKET),
  GET_BUCKET_LOCATION("GetBucketLocation", "GET", BUCKET, "location", Action.GET_BUCKET_LOCATION),
  LIST_OBJECTS("ListObjects", "GET", BUCKET, "", Action.LIST_BUCKET),
  LIST_OBJECTS_V2("ListObjectsV2", "GET", BUCKET, "list-type", Action.LIST_BUCKET),
  LIST_OBJECT_VERSIONS(
      "ListObjectVersions", "GET", BUCKET, "versions", Action.LIST_BUCKET_VERSIONS),
  DELETE_OBJECTS("DeleteObjects", "POST", BUCKET, "delete", Action.DELETE_OBJECT),
  LIST_MULTIPART_UPLOADS(
      "ListMultipartUploads", "GET", BUCKET, "uploads", Action.LIST_BUCKET_MULTIPART_UPLOADS),

  POST_OBJECT("PostObject", "POST", BUCKET, "", Action.PUT_OBJECT),

  GET_BUCKET_ACL("GetBucketAcl", "GET", BUCKET, "acl", Action.GET_BUCKET_ACL),
  PUT_BUCKET_ACL("PutBucketAcl", "PUT", BUCKET, "acl", Action.PUT_BUCKET_ACL),
  GET_BUCKET_VERSIONING(
      "GetBucketVersioning", "GET", BUCKET, "versioning", Action.GET_BUCKET_VERSIONING),
  PUT_BUCKET_VERSIONING(
      "PutBucketVersioning", "PUT", BUCKET, "versioning", Action.PUT_BUCKET_VERSIONING),
  GET_BUCKET_NOTIFICATION(
      "GetBucketNotification", "GET", BUCKET, "notification", Action.GET_BUCKET_NOTIFICATION),
  GET_BUCKET_LOGGING("GetBucketLogging", "GET", BUCKET, "logging", Action.GET_BUCKET_LOGGING),
  GET_BUCKET_ACCELERATE(
      "GetBucketAccelerate", "GET", BUCKET, "accelerate", Action.GET_ACCELERATE_CONFIGURATION),
  GET_BUCKET_REQUEST_PAYMENT(
      "GetBucketRequestPayment",
      "GET",
      BUCKET,
      "requestPayment",
      Action.GET_BUCKET_REQUEST_PAYMENT),
  GET_BUCKET_POLICY("GetBucketPolicy", "GET", BUCKET, "policy", Action.GET_BUCKET_POLICY),
  PUT_BUCKET_POLICY("PutBucketPolicy", "PUT", BUCKET, "policy", Action.PUT_BUCKET_POLICY),
  DELETE_BUCKET_POLICY(
      "DeleteBucketPolicy", "DELETE", BUCKET, "policy", Action.DELETE_BUCKET_POLICY),
  GET_BUCKET_POLICY_STATUS(
      "GetBucketPolicyStatus", "GET", BUCKET, "policyStatus", Action.GET_BUCKET_POLICY_STATUS),
  GET_BUCKET_CORS("GetBucketCors", "GET", BUCKET, "cors", Action.GET_BUCKET_CORS),
  PUT_BUCKET_CORS("PutBucketCors", "PUT", BUCKET, "cors", Action.PUT_BUCKET_CORS),
  DELETE_BUCKET_CORS("DeleteBucketCors", "DELETE", BUCKET, "cors", Action.PUT_BUCKET_CORS),
  OPTIONS_BUCKET("OptionsBucket", "OPTIONS", BUCKET, ""),
  OPTIONS_OBJECT("OptionsObject", "OPTIONS", OBJECT, ""),
  GET_BUCKET_LIFECYCLE(
      "GetBucketLifecycle", "GET", BUCKET, "lifecycle", Action.GET_LIFECYCLE_CONFIGURATION),
  PUT_BUCKET_LIFECYCLE(
      "PutBucketLifecycle", "PUT", BUCKET, "lifecycle", Action.PUT_LIFECYCLE_CONFIGURATION),
  DELETE_BUCKET_LIFECYCLE(
      "DeleteBucketLifecycle", "DELETE", BUCKET, "lifecycle", Action.PUT_LIFECYCLE_CONFIGURATION),
  GET_BUCKET_TAGGING("GetBucketTagging", "GET", BUCKET, "tagging", Action.GET_BUCKET_TAGGING),
  PUT_BUCKET_TAGGING("PutBucketTagging", "PUT", BUCKET, "tagging", Action.PUT_BUCKET_TAGGING),
  DELETE_BUCKET_TAGGING(
      "DeleteBucketTagging", "DELETE", BUCKET, "tagging", Action.PUT_BUCKET_TAGGING),
  GET_BUCKET_WEBSITE("GetBucketWebsite", "GET", BUCKET, "website", Action.GET_BUCKET_WEBSITE),
  GET_OBJECT_LOCK_CONFIGURATION(
      "GetObjectLockConfiguration",
      "GET",
      BUCKET,
      "object-lock",
      Action.GET_BUCKET_OBJECT_LOCK_CONFIGURATION),
  PUT_OBJECT_LOCK_CONFIGURATION(
      "PutObjectLockConfiguration",
      "PUT",
      BUCKET,
      "object-lock",
      Action.PUT_BUCKET_OBJECT_LOCK_CONFIGURATION),
  GET_BUCKET_ENCRYPTION(
      "GetBucketEncryption", "GET", BUCKET, "encryption", Action.GET_ENCRYPTION_CONFIGURATION),
  GET_BUCKET_REPLICATION(
      "GetBucketReplication", "GET", BUCKET, "replication", Action.GET_REPLICATION_CONFIGURATION),
  GET_PUBLIC_ACCESS_BLOCK(
      "GetPublicAccessBlock",
      "GET",
      BUCKET,
      "publicAccessBlock",
      Action.GET_BUCKET_PUBLIC_ACCESS_BLOCK),
  PUT_PUBLIC_ACCESS_BLOCK(
      "PutPublicAccessBlock",
      "PUT",
      BUCKET,
      "publicAccessBlock",
      Action.PUT_BUCKET_PUBLIC_ACCESS_BLOCK),
  DELETE_PUBLIC_ACCESS_BLOCK(
      "DeletePublicAccessBlock",
      "DELETE",
      BUCKET,
      "publicAccessBlock",
      Action.PUT_BUCKET_PUBLIC_ACCESS_BLOCK),
  GET_OWNERSHIP_CONTROLS(
      "GetOwnershipControls",
      "GET",
      BUCKET,
      "ownershipControls",
      Action.GET_BUCKET_OWNERSHIP_CONTROLS),
  PUT_OWNERSHIP_CONTROLS(
      "PutBucketOwnershipControls",
      "PUT",
      BUCKET,
      "ownershipControls",
      Action.PUT_BUCKET_OWNERSHIP_CONTROLS),
  DELETE_OWNERSHIP_CONTROLS(
      "DeleteBucketOwnershipControls",
      "DELETE",
      BUCKET,
      "ownershipControls",
      Action.PUT_BUCKET_OWNERSHIP_CONTROLS),

  GET_OBJECT("GetObject", "GET", OBJECT, "", Action.GET_OBJECT),
  HEAD_OBJECT("HeadObject", "HEAD", OBJECT, "", Action.GET_OBJECT),
  PUT_OBJECT("PutObject", "PUT", OBJECT, "", Action.PUT_OBJECT),
  COPY_OBJECT("CopyObject", "PUT", OBJECT, "copy", Action.PUT_OBJECT),
  DELETE_OBJECT("DeleteObject", "DELETE", OBJECT, "", Action.DELETE_OBJECT),
  GET_OBJECT_ATTRIBUTES(
      "GetObjectAttributes",
      "GET",
      OBJECT,
      "attributes",
      Action.GET_OBJECT,
      Action.GET_OBJECT_ATTRIBUTES),
  GET_OBJECT_TAGGING("GetObjectTagging", "GET", OBJECT, "tagging", Action.GET_OBJECT_TAGGING),
  PUT_OBJECT_TAGGING("PutObjectTagging", "PUT", OBJECT, "tagging", Action.PUT_OBJECT_TAGGING),
  DELETE_OBJECT_TAGGING(
      "DeleteObjectTagging", "DELETE", OBJECT, "tagging", Action.DELETE_OBJECT_TAGGING),
  GET_OBJECT_RETENTION(
      "GetObjectRetention", "GET", OBJECT, "retention", Action.GET_OBJECT_RETENTION),
  PUT_OBJECT_RETENTION(
      "PutObjectRetention", "PUT", OBJECT, "retention", Action.PUT_OBJECT_RETENTION),
  GET_OBJECT_LEGAL_HOLD(
      "GetObjectLegalHold", "GET", OBJECT, "legal-hold", Action.GET_OBJECT_LEGAL_HOLD),
  PUT_OBJECT_LEGAL_HOLD(
      "PutObjectLegalHold", "PUT", OBJECT, "legal-hold", Action.PUT_OBJECT_LEGAL_HOLD),
  GET_OBJECT_ACL("GetObjectAcl", "GET", OBJECT, "acl", Action.GET_OBJECT_ACL),
  PUT_OBJECT_ACL("PutObjectAcl", "PUT", OBJECT, "acl", Action.PUT_OBJECT_ACL),

  CREATE_MULTIPART_UPLOAD("CreateMultipartUpload", "POST", OBJECT, "uploads", Action.PUT_OBJECT),
  UPLOAD_PART("UploadPart", "PUT", OBJECT, "uploadId", Action.PUT_OBJECT),
  UPLOAD_PART_COPY("UploadPartCopy", "PUT", OBJECT, "copy uploadId", Action.PUT_OBJECT),
  COMPLETE_MULTIPART_UPLOAD(
      "CompleteMultipartUpload", "POST", OBJECT, "uploadId", Action.PUT_OBJECT),
  ABORT_MULTIPART_UPLOAD(
      "AbortMultipartUpload", "DELETE", OBJECT, "uploadId", Action.ABORT_MULTIPART_UPLOAD),
  LIST_PARTS("ListParts", "GET", OBJECT, "uploadId", Action.LIST_MULTIPART_UPLOAD_PARTS);

  private final String wireName;
  private final String method;
  private final Level level;
  private final String subresource;

  @SuppressWarnings("ImmutableEnumChecker") // List.of creates immutable lists.
  private final List<Action> actions;

  S3Operation(String wireName, String method, Level level, String subresource, Action... actions) {
    this.wireName = wireName;
    this.method = method;
    this.level = level;
    this.subresource = subresource;
    this.actions = List.of(actions);
  }

  /** The operation's name in S3, in metrics and in logs. */
  public String wireName() {
    return wireName;
  }

  /** The HTTP method. */
  public String method() {
    return method;
  }

  /** Whether the operation can use a body. */
  public boolean mayHaveDocument() {
    return method.equals("PUT") || method.equals("POST");
  }

  /** Whether the operation copies an object or a part of one. */
  public boolean copies() {
    return this == COPY_OBJECT || this == UPLOAD_PART_COPY;
  }

  /** Whether the operation writes a part of a multipart upload, or completes the upload. */
  public boolean isOfUpload() {
    return this == UPLOAD_PART || this == UPLOAD_PART_COPY || this == COMPLETE_MULTIPART_UPLOAD;
  }

  /** Whether the operation is a CORS preflight. */
  public boolean isPreflight() {
    return this == OPTIONS_BUCKET || this == OPTIONS_OBJECT;
  }

  /** The level of the resource that the path names. */
  public Level level() {
    return level;
  }

  /**
   * The query parameter that distinguishes this operation from the plain operation; empty for the
   * plain operation. {@code copy} stands for the header that names a copy source.
   */
  public String subresource() {
    return subresource;
  }

  /** The permissions that the operation needs; all of them are required. */
  public List<Action> actions() {
    return actions;
  }

  /** The level of the resource that the path names. */
  public enum Level {
    SERVICE,
    BUCKET,
    OBJECT
  }
}
