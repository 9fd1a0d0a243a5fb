package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * What a client says about an object when it writes it, given back with every read.
 *
 * @param headers the content headers by lower-case name: content-type, content-encoding,
 *     content-language, content-disposition, cache-control, expires; also
 *     x-amz-website-redirect-location and x-amz-storage-class as given
 * @param userMetadata what came as x-amz-meta-NAME, by lower-case NAME without that prefix
 * @param tags the object's tags by key
 */
public record ObjectAttributes(
    Map<String, String> headers, Map<String, String> userMetadata, Map<String, String> tags) {
  /** No headers, no user metadata, no tags. */
  public static final ObjectAttributes NONE = new ObjectAttributes(Map.of(), Map.of(), Map.of());

  public ObjectAttributes {
    headers = Map.copyOf(requireNonNull(headers, "headers is null"));
    userMetadata = Map.copyOf(requireNonNull(userMetadata, "userMetadata is null"));
    tags = Map.copyOf(requireNonNull(tags, "tags is null"));
  }
}
