package dev.tarn.gateway.request;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.error.S3Exception;
import java.util.Optional;

/**
 * The x-amz-copy-source header: {@code /bucket/key?versionId=ID}, percent-encoded like a query: a
 * plus is a space.
 *
 * @param path {@code bucket/key}, decoded
 * @param version that the source names
 */
public record CopySourceHeader(String path, Optional<String> version) {
  public static final String NAME = "x-amz-copy-source";

  public CopySourceHeader {
    requireNonNull(path, "path is null");
    requireNonNull(version, "version is null");
  }

  /**
   * Parses the header's value. The path may lack bucket or key.
   *
   * @throws S3Exception InvalidURI
   */
  public static CopySourceHeader parse(String value) {
    String wire = new String(value.getBytes(UTF_8), ISO_8859_1);
    int question = wire.indexOf("?versionId=");
    String path = question < 0 ? wire : wire.substring(0, question);
    return new CopySourceHeader(
        PercentEncoding.decodeQuery(path.startsWith("/") ? path.substring(1) : path),
        question < 0
            ? Optional.empty()
            : QueryParameters.parse(wire.substring(question + 1)).find("versionId"));
  }
}
