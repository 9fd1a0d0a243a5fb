package dev.tarn.cluster.object;

import java.util.List;

/** Decides who may list or write a bucket, or read an object, besides those whom policies allow. */
public enum CannedAcl {
  /** The owner. */
  PRIVATE("private"),
  /** Anybody may read. */
  PUBLIC_READ("public-read"),
  /** Anybody may read an object, and list a bucket and put objects into it. */
  PUBLIC_READ_WRITE("public-read-write"),
  /** Every user may read. */
  AUTHENTICATED_READ("authenticated-read");

  /** In the order of their codes in messages; append only. */
  public static final List<CannedAcl> CODES =
      List.of(PRIVATE, PUBLIC_READ, PUBLIC_READ_WRITE, AUTHENTICATED_READ);

  private final String text;

  CannedAcl(String text) {
    this.text = text;
  }

  /** The name in S3, as in {@code x-amz-acl}. */
  public String text() {
    return text;
  }

  /** Whether the ACL allows something to others than the owner. */
  public boolean allowsOthers() {
    return this != PRIVATE;
  }

  /** Whether the ACL allows anybody to read, or every user if the caller has signed. */
  public boolean allowsReading(boolean signed) {
    return switch (this) {
      case PRIVATE -> false;
      case PUBLIC_READ, PUBLIC_READ_WRITE -> true;
      case AUTHENTICATED_READ -> signed;
    };
  }

  /** Whether the ACL of a bucket allows anybody to put objects into it. */
  public boolean allowsWriting() {
    return this == PUBLIC_READ_WRITE;
  }
}
