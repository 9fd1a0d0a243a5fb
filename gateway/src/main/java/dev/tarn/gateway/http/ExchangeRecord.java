package dev.tarn.gateway.http;

import org.jspecify.annotations.Nullable;

/** What log and metrics say about one exchange; filled as it goes, read when it has finished. */
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

  /** Names the operation, as S3 does. */
  public void operation(String name) {
    operation = name;
  }

  /** Says who asked; null for anonymous. */
  public void accessKeyId(@Nullable String id) {
    accessKeyId = id;
  }

  /** Says about what: null where the request names none. */
  public void resource(@Nullable String bucketName, @Nullable String objectKey) {
    bucket = bucketName;
    key = objectKey;
  }

  /** Says why it failed, by S3's code. */
  public void errorCode(String code) {
    errorCode = code;
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

  /** Who asked; null for anonymous. */
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

  /** The HTTP status; 0 where the client went away before there was one. */
  public int status() {
    return status;
  }

  /** From the request's head to the answer's last byte. */
  public long durationNanos() {
    return durationNanos;
  }

  /** Bytes of the request's body. */
  public long bytesIn() {
    return bytesIn;
  }

  /** Bytes of the answer's body that the socket has taken. */
  public long bytesOut() {
    return bytesOut;
  }

  /** Whether the answer was written to its end. */
  public boolean whole() {
    return whole;
  }
}
