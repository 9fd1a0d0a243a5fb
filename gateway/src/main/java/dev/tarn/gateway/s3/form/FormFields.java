package dev.tarn.gateway.s3.form;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The fields before the file in a form.
 *
 * @param values by the fields' names in lower case
 * @param fileName as the browser sends it, without folders; empty for none
 */
public record FormFields(Map<String, String> values, String fileName) {
  /** The part of a field that is replaced with the file's name. */
  private static final String FILE_NAME = "${filename}";

  /** The length of a field with the file's name in it, as of all fields without. */
  private static final int LENGTH_MAX = 64 * 1024;

  private static final String CHECKSUM_PREFIX = "x-amz-checksum-";

  public FormFields {
    values = Collections.unmodifiableMap(new TreeMap<>(values));
    requireNonNull(fileName, "fileName is null");
  }

  /**
   * The value of a field, with the file's name in place of its variable.
   *
   * @throws S3Exception MaxPostPreDataLengthExceeded; a value that would be too long is not built
   */
  public Optional<String> find(String lowerCaseName) {
    return Optional.ofNullable(values.get(lowerCaseName)).map(this::withFileName);
  }

  /**
   * The object's key; empty if the form has none.
   *
   * @throws S3Exception KeyTooLongError; a key that would be too long is not built
   */
  public String key() {
    String pattern = values.getOrDefault("key", "");
    if (lengthWithFileName(pattern) > ObjectKey.BYTES_MAX) {
      throw S3Exception.of(S3ErrorCode.KEY_TOO_LONG);
    }
    return withFileName(pattern);
  }

  private String withFileName(String pattern) {
    if (lengthWithFileName(pattern) > LENGTH_MAX) {
      throw S3Exception.of(S3ErrorCode.MAX_POST_PRE_DATA_LENGTH_EXCEEDED_ERROR);
    }
    return pattern.replace(FILE_NAME, fileName);
  }

  private long lengthWithFileName(String pattern) {
    int around = pattern.replace(FILE_NAME, "").length();
    int names = (pattern.length() - around) / FILE_NAME.length();
    return around + (long) names * fileName.length();
  }

  /**
   * The fields as the headers of an equivalent PUT. Fields that belong only to forms are left out.
   */
  public Headers headers() {
    Headers.Builder headers = Headers.builder();
    values.forEach((name, pattern) -> {
      String value = withFileName(pattern);
      switch (name) {
        case "acl" -> headers.add("x-amz-acl", value);
        case "content-type",
            "content-encoding",
            "content-disposition",
            "content-language",
            "content-md5",
            "cache-control",
            "expires",
            "x-amz-storage-class",
            "x-amz-website-redirect-location" ->
            headers.add(name, value);
        default -> {
          if (name.startsWith("x-amz-meta-")
              || name.startsWith(CHECKSUM_PREFIX)
              || name.startsWith("x-amz-server-side-encryption")
              || name.startsWith("x-amz-object-lock-")
              || name.startsWith("x-amz-grant-")) {
            headers.add(name, value);
          }
        }
      }
    });
    return headers.build();
  }
}
