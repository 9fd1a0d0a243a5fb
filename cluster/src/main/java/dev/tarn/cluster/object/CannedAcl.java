package dev.tarn.cluster.object;

import java.util.List;

/** Who may list a bucket or read an object's bytes, besides those whom policies allow. */
public enum CannedAcl {
  /** The owner. */
  PRIVATE("private"),
  /** Anybody. */
  PUBLIC_READ("public-read");

  /** In the order of their codes in messages; append only. */
  public static final List<CannedAcl> CODES = List.of(PRIVATE, PUBLIC_READ);

  private final String text;

  CannedAcl(String text) {
    this.text = text;
  }

  /** The name in S3, as in {@code x-amz-acl}. */
  public String text() {
    return text;
  }
}
