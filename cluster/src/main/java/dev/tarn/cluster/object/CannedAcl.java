package dev.tarn.cluster.object;

import java.util.List;

/** Who may read a bucket's listing or an object's bytes, but for policies. */
public enum CannedAcl {
  /** The owner. */
  PRIVATE("private"),
  /** Anybody. */
  PUBLIC_READ("public-read");

  /** By the codes of messages; the list only grows at its end. */
  public static final List<CannedAcl> CODES = List.of(PRIVATE, PUBLIC_READ);

  private final String text;

  CannedAcl(String text) {
    this.text = text;
  }

  /** The name that S3 gives it, as in {@code x-amz-acl}. */
  public String text() {
    return text;
  }
}
