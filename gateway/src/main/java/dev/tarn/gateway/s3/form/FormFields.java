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
 * What stands before the file in a form.
 *
 * @param values by the fields' names in lower case
 * @param fileName as the browser gives it, without folders; empty for none
 */
public record FormFields(Map<String, String> values, String fileName) {
  /** What a key may hold in place of the file's name. */
  private static final String FILE_NAME = "${filename}";

  private static final String CHECKSUM_PREFIX = "x-amz-checksum-";

  public FormFields {
    values = Collections.unmodifiableMap(new TreeMap<>(values));
    requireNonNull(fileName, "fileName is null");
  }

  /** The value of a field. */
  public Optional<String> find(String lowerCaseName) {
    return Optional.ofNullable(values.get(lowerCaseName));
  }

  /**
   * The object's key; empty where the form names none.
   *
   * @throws S3Exception KeyTooLong, before a name that stands in it many times is written out
   */
  public String key() {
    String pattern = find("key").orElse("");
    String around = pattern.replace(FILE_NAME, "");
    int names = (pattern.length() - around.length()) / FILE_NAME.length();
    if (around.length() + (long) names * fileName.length() > ObjectKey.BYTES_MAX) {
      throw S3Exception.of(S3ErrorCode.KEY_TOO_LONG);
    }
    return pattern.replace(FILE_NAME, fileName);
  }

  /** The fields as the headers of a PUT that says the same; others are the form's own. */
  public Headers headers() {
    Headers.Builder headers = Headers.builder();
    values.forEach((name, value) -> {
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
