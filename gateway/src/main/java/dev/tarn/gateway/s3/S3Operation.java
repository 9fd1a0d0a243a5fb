package dev.tarn.gateway.s3;

import static dev.tarn.gateway.s3.S3Operation.Access.BUCKET_READ;
import static dev.tarn.gateway.s3.S3Operation.Access.FORM;
import static dev.tarn.gateway.s3.S3Operation.Access.OWNER;
import static dev.tarn.gateway.s3.S3Operation.Access.SIGNED;
import static dev.tarn.gateway.s3.S3Operation.Level.BUCKET;
import static dev.tarn.gateway.s3.S3Operation.Level.OBJECT;
import static dev.tarn.gateway.s3.S3Operation.Level.SERVICE;

/**
 * The operations that are answered, by method, level and subresource. Whatever is not here is
 * refused: a request for an unknown subresource never falls through to the plain operation.
 */
public enum S3Operation {
  LIST_BUCKETS("ListBuckets", "GET", SERVICE, "", SIGNED),

  CREATE_BUCKET("CreateBucket", "PUT", BUCKET, "", SIGNED),
  HEAD_BUCKET("HeadBucket", "HEAD", BUCKET, "", BUCKET_READ),
  DELETE_BUCKET("DeleteBucket", "DELETE", BUCKET, "", OWNER),
  GET_BUCKET_LOCATION("GetBucketLocation", "GET", BUCKET, "location", BUCKET_READ),
  LIST_OBJECTS("ListObjects", "GET", BUCKET, "", BUCKET_READ),
  LIST_OBJECTS_V2("ListObjectsV2", "GET", BUCKET, "list-type", BUCKET_READ),
  LIST_OBJECT_VERSIONS("ListObjectVersions", "GET", BUCKET, "versions", BUCKET_READ),
  DELETE_OBJECTS("DeleteObjects", "POST", BUCKET, "delete", OWNER),
  LIST_MULTIPART_UPLOADS("ListMultipartUploads", "GET", BUCKET, "uploads", OWNER),

  POST_OBJECT("PostObject", "POST", BUCKET, "", FORM),

  GET_BUCKET_ACL("GetBucketAcl", "GET", BUCKET, "acl", OWNER),
  PUT_BUCKET_ACL("PutBucketAcl", "PUT", BUCKET, "acl", OWNER),
  GET_BUCKET_VERSIONING("GetBucketVersioning", "GET", BUCKET, "versioning", OWNER),
  PUT_BUCKET_VERSIONING("PutBucketVersioning", "PUT", BUCKET, "versioning", OWNER),
  GET_BUCKET_NOTIFICATION("GetBucketNotification", "GET", BUCKET, "notification", OWNER),
  GET_BUCKET_LOGGING("GetBucketLogging", "GET", BUCKET, "logging", OWNER),
  GET_BUCKET_ACCELERATE("GetBucketAccelerate", "GET", BUCKET, "accelerate", OWNER),
  GET_BUCKET_REQUEST_PAYMENT("GetBucketRequestPayment", "GET", BUCKET, "requestPayment", OWNER),
  GET_BUCKET_POLICY("GetBucketPolicy", "GET", BUCKET, "policy", OWNER),
  GET_BUCKET_CORS("GetBucketCors", "GET", BUCKET, "cors", OWNER),
  GET_BUCKET_LIFECYCLE("GetBucketLifecycle", "GET", BUCKET, "lifecycle", OWNER),
  PUT_BUCKET_LIFECYCLE("PutBucketLifecycle", "PUT", BUCKET, "lifecycle", OWNER),
  DELETE_BUCKET_LIFECYCLE("DeleteBucketLifecycle", "DELETE", BUCKET, "lifecycle", OWNER),
  GET_BUCKET_TAGGING("GetBucketTagging", "GET", BUCKET, "tagging", OWNER),
  PUT_BUCKET_TAGGING("PutBucketTagging", "PUT", BUCKET, "tagging", OWNER),
  DELETE_BUCKET_TAGGING("DeleteBucketTagging", "DELETE", BUCKET, "tagging", OWNER),
  GET_BUCKET_WEBSITE("GetBucketWebsite", "GET", BUCKET, "website", OWNER),
  GET_OBJECT_LOCK_CONFIGURATION("GetObjectLockConfiguration", "GET", BUCKET, "object-lock", OWNER),
  GET_BUCKET_ENCRYPTION("GetBucketEncryption", "GET", BUCKET, "encryption", OWNER),
  GET_BUCKET_REPLICATION("GetBucketReplication", "GET", BUCKET, "replication", OWNER),
  GET_PUBLIC_ACCESS_BLOCK("GetPublicAccessBlock", "GET", BUCKET, "publicAccessBlock", OWNER),
  GET_OWNERSHIP_CONTROLS("GetOwnershipControls", "GET", BUCKET, "ownershipControls", OWNER),

  GET_OBJECT("GetObject", "GET", OBJECT, "", BUCKET_READ),
  HEAD_OBJECT("HeadObject", "HEAD", OBJECT, "", BUCKET_READ),
  PUT_OBJECT("PutObject", "PUT", OBJECT, "", OWNER),
  COPY_OBJECT("CopyObject", "PUT", OBJECT, "copy", OWNER),
  DELETE_OBJECT("DeleteObject", "DELETE", OBJECT, "", OWNER),
  GET_OBJECT_ATTRIBUTES("GetObjectAttributes", "GET", OBJECT, "attributes", BUCKET_READ),
  GET_OBJECT_TAGGING("GetObjectTagging", "GET", OBJECT, "tagging", OWNER),
  PUT_OBJECT_TAGGING("PutObjectTagging", "PUT", OBJECT, "tagging", OWNER),
  DELETE_OBJECT_TAGGING("DeleteObjectTagging", "DELETE", OBJECT, "tagging", OWNER),
  GET_OBJECT_ACL("GetObjectAcl", "GET", OBJECT, "acl", OWNER),
  PUT_OBJECT_ACL("PutObjectAcl", "PUT", OBJECT, "acl", OWNER),

  CREATE_MULTIPART_UPLOAD("CreateMultipartUpload", "POST", OBJECT, "uploads", OWNER),
  UPLOAD_PART("UploadPart", "PUT", OBJECT, "uploadId", OWNER),
  UPLOAD_PART_COPY("UploadPartCopy", "PUT", OBJECT, "copy uploadId", OWNER),
  COMPLETE_MULTIPART_UPLOAD("CompleteMultipartUpload", "POST", OBJECT, "uploadId", OWNER),
  ABORT_MULTIPART_UPLOAD("AbortMultipartUpload", "DELETE", OBJECT, "uploadId", OWNER),
  LIST_PARTS("ListParts", "GET", OBJECT, "uploadId", OWNER);

  private final String wireName;
  private final String method;
  private final Level level;
  private final String subresource;
  private final Access access;

  S3Operation(String wireName, String method, Level level, String subresource, Access access) {
    this.wireName = wireName;
    this.method = method;
    this.level = level;
    this.subresource = subresource;
    this.access = access;
  }

  /** The name that S3 gives it, in metrics and logs too. */
  public String wireName() {
    return wireName;
  }

  /** The HTTP method. */
  public String method() {
    return method;
  }

  /** What the path names. */
  public Level level() {
    return level;
  }

  /**
   * The query parameter that tells it from the plain operation; empty for that one. A {@code copy}
   * stands for the header that names a source.
   */
  public String subresource() {
    return subresource;
  }

  /** Who may. */
  public Access access() {
    return access;
  }

  /** What the path names. */
  public enum Level {
    SERVICE,
    BUCKET,
    OBJECT
  }

  /** Who may ask for an operation; admin users may everything. */
  public enum Access {
    /** Whoever has a key pair. */
    SIGNED,
    /** Whoever signed the form that is the request's body, which the operation itself judges. */
    FORM,
    /** The bucket's owner. */
    OWNER,
    /** The bucket's owner, and everybody where the bucket is open to anonymous readers. */
    BUCKET_READ
  }
}
