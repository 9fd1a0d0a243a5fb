package dev.tarn.gateway.http;

import org.jspecify.annotations.Nullable;

/**
 * The record of one exchange for the access log and the metrics. The fields are set during the
 * exchange and read after its end.
 */
public final class ExchangeRecord {
  private String operation = "Unknown";
  private @Nullable String accessKeyId;
  private @Nullable String bucket;
  private @Nullable String key;
  private @Nullable String errorCode;
  private int status;
  private long durationNanos;
  private long bytesIn;
  private long bytesOut;
  private boolean whole;
  private long objectBytes = -1;

  /** Sets the operation's name, as in S3. */
  public void operation(String name) {
    operation = name;
  }

  /** Sets the caller's access key id; null for anonymous. */
  public void accessKeyId(@Nullable String id) {
    accessKeyId = id;
  }

  /** Sets the bucket and the key; null for each that the request does not name. */
  public void resource(@Nullable String bucketName, @Nullable String objectKey) {
    bucket = bucketName;
    key = objectKey;
  }

  /** Sets the S3 error code of a failed request. */
  public void errorCode(String code) {
    errorCode = code;
  }

  /** Sets the size of the whole object of which the answer has bytes. */
  public void objectBytes(long bytes) {
    objectBytes = bytes;
  }

  void status(int code) {
    status = code;
  }

  void finish(long nanos, long received, long sent, boolean complete) {
    durationNanos = nanos;
    bytesIn = received;
    bytesOut = sent;
    whole = complete;
  }

  /** The operation's name. */
  public String operation() {
    return operation;
  }

  /** The caller's access key id; null for anonymous. */
  public @Nullable String accessKeyId() {
    return accessKeyId;
  }

  /** The bucket's name, or null. */
  public @Nullable String bucket() {
    return bucket;
  }

  /** The object's key, or null. */
  public @Nullable String key() {
    return key;
  }

  /** S3's error code, or null. */
  public @Nullable String errorCode() {
    return errorCode;
  }

  /** The HTTP status; 0 if the client closed the connection before there was a status. */
  public int status() {
    return status;
  }

  /** The time from the request's head to the last byte of the answer, in nanoseconds. */
  public long durationNanos() {
    return durationNanos;
  }

  /** The number of bytes received of the request's body. */
  public long bytesIn() {
    return bytesIn;
  }

  /** The number of bytes of the answer's body that the socket has taken. */
  public long bytesOut() {
    return bytesOut;
  }

  /** The size of the object of which the answer has bytes; -1 if there is none. */
  public long objectBytes() {
    return objectBytes;
  }

  /** Whether the answer was written to its end. */
  public boolean whole() {
    return whole;
  }
}
