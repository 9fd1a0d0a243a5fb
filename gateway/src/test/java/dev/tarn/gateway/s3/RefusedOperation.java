package dev.tarn.gateway.s3;

import static dev.tarn.gateway.s3.operation.S3Operation.Level.BUCKET;
import static dev.tarn.gateway.s3.operation.S3Operation.Level.OBJECT;

import dev.tarn.gateway.s3.operation.S3Operation;

/**
 * The operations of S3 that the gateway answers with 501 NotImplemented. A false success would
 * mislead clients.
 */
enum RefusedOperation {
  PUT_BUCKET_ACCELERATE("PutBucketAccelerateConfiguration", "PUT", BUCKET, "accelerate"),
  GET_BUCKET_ANALYTICS("GetBucketAnalyticsConfiguration", "GET", BUCKET, "analytics"),
  PUT_BUCKET_ANALYTICS("PutBucketAnalyticsConfiguration", "PUT", BUCKET, "analytics"),
  DELETE_BUCKET_ANALYTICS("DeleteBucketAnalyticsConfiguration", "DELETE", BUCKET, "analytics"),
  PUT_BUCKET_ENCRYPTION("PutBucketEncryption", "PUT", BUCKET, "encryption"),
  DELETE_BUCKET_ENCRYPTION("DeleteBucketEncryption", "DELETE", BUCKET, "encryption"),
  GET_BUCKET_TIERING(
      "GetBucketIntelligentTieringConfiguration", "GET", BUCKET, "intelligent-tiering"),
  PUT_BUCKET_TIERING(
      "PutBucketIntelligentTieringConfiguration", "PUT", BUCKET, "intelligent-tiering"),
  DELETE_BUCKET_TIERING(
      "DeleteBucketIntelligentTieringConfiguration", "DELETE", BUCKET, "intelligent-tiering"),
  GET_BUCKET_INVENTORY("GetBucketInventoryConfiguration", "GET", BUCKET, "inventory"),
  PUT_BUCKET_INVENTORY("PutBucketInventoryConfiguration", "PUT", BUCKET, "inventory"),
  DELETE_BUCKET_INVENTORY("DeleteBucketInventoryConfiguration", "DELETE", BUCKET, "inventory"),
  PUT_BUCKET_LOGGING("PutBucketLogging", "PUT", BUCKET, "logging"),
  CREATE_BUCKET_METADATA(
      "CreateBucketMetadataConfiguration", "POST", BUCKET, "metadataConfiguration"),
  GET_BUCKET_METADATA("GetBucketMetadataConfiguration", "GET", BUCKET, "metadataConfiguration"),
  DELETE_BUCKET_METADATA(
      "DeleteBucketMetadataConfiguration", "DELETE", BUCKET, "metadataConfiguration"),
  CREATE_BUCKET_METADATA_TABLE(
      "CreateBucketMetadataTableConfiguration", "POST", BUCKET, "metadataTable"),
  GET_BUCKET_METADATA_TABLE("GetBucketMetadataTableConfiguration", "GET", BUCKET, "metadataTable"),
  DELETE_BUCKET_METADATA_TABLE(
      "DeleteBucketMetadataTableConfiguration", "DELETE", BUCKET, "metadataTable"),
  GET_BUCKET_METRICS("GetBucketMetricsConfiguration", "GET", BUCKET, "metrics"),
  PUT_BUCKET_METRICS("PutBucketMetricsConfiguration", "PUT", BUCKET, "metrics"),
  DELETE_BUCKET_METRICS("DeleteBucketMetricsConfiguration", "DELETE", BUCKET, "metrics"),
  PUT_BUCKET_NOTIFICATION("PutBucketNotificationConfiguration", "PUT", BUCKET, "notification"),
  PUT_BUCKET_REPLICATION("PutBucketReplication", "PUT", BUCKET, "replication"),
  DELETE_BUCKET_REPLICATION("DeleteBucketReplication", "DELETE", BUCKET, "replication"),
  PUT_BUCKET_REQUEST_PAYMENT("PutBucketRequestPayment", "PUT", BUCKET, "requestPayment"),
  CREATE_SESSION("CreateSession", "GET", BUCKET, "session"),
  PUT_BUCKET_WEBSITE("PutBucketWebsite", "PUT", BUCKET, "website"),
  DELETE_BUCKET_WEBSITE("DeleteBucketWebsite", "DELETE", BUCKET, "website"),

  UPDATE_OBJECT_ENCRYPTION("UpdateObjectEncryption", "PUT", OBJECT, "encryption"),
  RENAME_OBJECT("RenameObject", "PUT", OBJECT, "renameObject"),
  RESTORE_OBJECT("RestoreObject", "POST", OBJECT, "restore"),
  SELECT_OBJECT_CONTENT("SelectObjectContent", "POST", OBJECT, "select"),
  GET_OBJECT_TORRENT("GetObjectTorrent", "GET", OBJECT, "torrent");

  private final String wireName;
  private final String method;
  private final S3Operation.Level level;
  private final String subresource;

  RefusedOperation(String wireName, String method, S3Operation.Level level, String subresource) {
    this.wireName = wireName;
    this.method = method;
    this.level = level;
    this.subresource = subresource;
  }

  /** The operation's name in S3. */
  String wireName() {
    return wireName;
  }

  /** The HTTP method. */
  String method() {
    return method;
  }

  /** What the path names. */
  S3Operation.Level level() {
    return level;
  }

  /** The query parameter that selects the operation. */
  String subresource() {
    return subresource;
  }
}
