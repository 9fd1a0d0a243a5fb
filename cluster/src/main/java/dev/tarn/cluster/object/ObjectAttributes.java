package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;

/**
 * The attributes that a client declares for an object in a write, and gets back with every read.
 *
 * @param headers the content headers by lower-case name: content-type, content-encoding,
 *     content-language, content-disposition, cache-control, expires; also
 *     x-amz-website-redirect-location and x-amz-storage-class as given, and {@link #ACL} if the
 *     object is not private; answers do not show the ACL, and copies do not take it over
 * @param userMetadata the x-amz-meta-NAME headers, by lower-case NAME without that prefix
 * @param tags the object's tags by key
 */
public record ObjectAttributes(
    Map<String, String> headers, Map<String, String> userMetadata, Map<String, String> tags) {
  /** The header name that holds the ACL. */
  public static final String ACL = "x-amz-acl";

  /** No headers, no user metadata, no tags. */
  public static final ObjectAttributes NONE = new ObjectAttributes(Map.of(), Map.of(), Map.of());

  public ObjectAttributes {
    headers = Map.copyOf(requireNonNull(headers, "headers is null"));
    userMetadata = Map.copyOf(requireNonNull(userMetadata, "userMetadata is null"));
    tags = Map.copyOf(requireNonNull(tags, "tags is null"));
  }

  /** These attributes with another ACL. */
  public ObjectAttributes with(CannedAcl acl) {
    Map<String, String> changed = new HashMap<>(headers);
    if (acl == CannedAcl.PRIVATE) {
      changed.remove(ACL);
    } else {
      changed.put(ACL, acl.text());
    }
    return new ObjectAttributes(changed, userMetadata, tags);
  }

  /** These attributes with other tags. */
  public ObjectAttributes with(Map<String, String> otherTags) {
    return new ObjectAttributes(headers, userMetadata, otherTags);
  }
}
