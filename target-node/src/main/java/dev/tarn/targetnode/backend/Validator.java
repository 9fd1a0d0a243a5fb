package dev.tarn.targetnode.backend;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Text that distinguishes the bytes of one object at a backend from later ones: a strong ETag
 * without quotes, a weak ETag as {@code W/"TEXT"}, or, if the backend gives no ETag, {@code
 * T/"TIME-SIZE"} in hexadecimal. Every cached object keeps this text, and each answer is compared
 * with it.
 */
record Validator(String text) {
  private static final String WEAK = "W/";
  private static final String WITHOUT_ETAG = "T/";

  Validator {
    requireNonNull(text, "text is null");
  }

  /**
   * The validator of an answer.
   *
   * @param etag the header's value; empty if the answer has none
   * @param modifiedMs the answer's Last-Modified; 0 if it has none
   */
  static Validator of(Optional<String> etag, long modifiedMs, long sizeBytes) {
    String given = etag.map(String::strip).orElse("");
    String weak = given.startsWith(WEAK) || given.startsWith("w/") ? WEAK : "";
    String opaque = unquoted(given.substring(weak.length()));
    if (opaque.isEmpty() || !opaque.chars().allMatch(Validator::mayStandInAnETag)) {
      return new Validator(WITHOUT_ETAG + '"' + hex(modifiedMs) + '-' + hex(sizeBytes) + '"');
    }
    return new Validator(weak.isEmpty() ? opaque : WEAK + '"' + opaque + '"');
  }

  private static boolean mayStandInAnETag(int character) {
    return character > ' ' && character < 0x7F && character != '"';
  }

  private static String hex(long number) {
    return Long.toHexString(number);
  }

  /** The ETag for clients, without quotes. */
  String etag() {
    return isStrong() ? text : text.substring(WEAK.length() + 1, text.length() - 1);
  }

  /** The value of If-Match under which the backend answers these bytes; empty if there is none. */
  Optional<String> ifMatch() {
    return isStrong() ? Optional.of('"' + text + '"') : Optional.empty();
  }

  /** Whether the backend gave an ETag. */
  boolean isOfAnETag() {
    return !text.startsWith(WITHOUT_ETAG) || isStrong();
  }

  private boolean isStrong() {
    return !text.endsWith("\"");
  }

  static String unquoted(String etag) {
    return etag.length() >= 2 && etag.startsWith("\"") && etag.endsWith("\"")
        ? etag.substring(1, etag.length() - 1)
        : etag;
  }
}
