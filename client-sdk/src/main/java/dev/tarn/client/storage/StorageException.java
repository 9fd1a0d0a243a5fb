package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A storage could not do what it was asked. The message names the URL, what happened and, where
 * there is an answer, what would be right; it never holds a secret.
 */
public final class StorageException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What a caller can do about a failure. */
  public enum Kind {
    /** There is no such object, folder or bucket. */
    MISSING,
    /** The credentials are absent, wrong, or not allowed to do this. */
    DENIED,
    /** The object is another one than the one that was asked for: its ETag differs. */
    CHANGED,
    /** The request cannot be right: bad name, range or setting. */
    INVALID,
    /** Fewer bytes came than were announced, and they could not be had by asking again. */
    TRUNCATED,
    /** The storage did not answer, or answered that it cannot now; retries are used up. */
    UNAVAILABLE,
    /** The disk or bucket has no room, or the quota is used up. */
    FULL,
    /** Anything else that the storage reported. */
    FAILED
  }

  private final Kind kind;
  private final transient StorageUrl url;
  private final String what;

  /**
   * Describes a failure.
   *
   * @param what what happened and what would be right, without the URL
   */
  public StorageException(Kind kind, StorageUrl url, String what, @Nullable Throwable cause) {
    super("%s: %s".formatted(url.printable(), what), cause);
    this.kind = requireNonNull(kind, "kind is null");
    this.url = requireNonNull(url, "url is null");
    this.what = requireNonNull(what, "what is null");
  }

  /** Describes a failure that has no cause below it. */
  public StorageException(Kind kind, StorageUrl url, String what) {
    this(kind, url, what, null);
  }

  /** What can be done about it. */
  public Kind kind() {
    return kind;
  }

  /** The object or folder that it is about. */
  public StorageUrl url() {
    return url;
  }

  /** What happened and what would be right: the message without the URL. */
  public String what() {
    return what;
  }
}
