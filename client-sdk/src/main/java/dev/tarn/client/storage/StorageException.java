package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A storage operation failed. The message names the URL, what happened and, if known, what to do.
 * It never holds a secret.
 */
public final class StorageException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The kind of a failure, which decides what a caller can do about it. */
  public enum Kind {
    /** There is no such object, folder or bucket. */
    MISSING,
    /** The credentials are missing, wrong, or lack permission. */
    DENIED,
    /** The object has another ETag than the requested version. */
    CHANGED,
    /** The request is not valid: a bad name, range or setting. */
    INVALID,
    /** Fewer bytes arrived than announced, and retries did not bring the rest. */
    TRUNCATED,
    /** The storage did not answer, or was temporarily unavailable; retries are used up. */
    UNAVAILABLE,
    /** The disk or bucket is full, or the quota is used up. */
    FULL,
    /** Any other failure that the storage reported. */
    FAILED
  }

  private final Kind kind;
  private final transient StorageUrl url;
  private final String what;

  /**
   * Describes a failure.
   *
   * @param what what happened and what to do, without the URL
   */
  public StorageException(Kind kind, StorageUrl url, String what, @Nullable Throwable cause) {
    super("%s: %s".formatted(url.printable(), what), cause);
    this.kind = requireNonNull(kind, "kind is null");
    this.url = requireNonNull(url, "url is null");
    this.what = requireNonNull(what, "what is null");
  }

  /** Describes a failure without a cause. */
  public StorageException(Kind kind, StorageUrl url, String what) {
    this(kind, url, what, null);
  }

  /** The kind of the failure, which decides what can be done about it. */
  public Kind kind() {
    return kind;
  }

  /** Whether the server said that there is no such bucket; otherwise an object may be missing. */
  public boolean isBucketMissing() {
    return kind == Kind.MISSING && what.startsWith("NoSuchBucket");
  }

  /** The object or folder concerned. */
  public StorageUrl url() {
    return url;
  }

  /** Describes the problem and its remedy: the message without the URL. */
  public String what() {
    return what;
  }
}
