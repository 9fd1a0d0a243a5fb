package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The attributes that a client declares for an object in a write, and gets back with every read.
 *
 * @param headers the content headers by lower-case name: content-type, content-encoding,
 *     content-language, content-disposition, cache-control, expires; also {@link #REDIRECT} and
 *     {@link #STORAGE_CLASS} as given, {@link #ACL} if the object is not private, and those of
 *     {@link ObjectLock}; answers do not show the ACL
 * @param userMetadata the x-amz-meta-NAME headers, by lower-case NAME without that prefix
 * @param tags the object's tags by key
 */
public record ObjectAttributes(
    Map<String, String> headers, Map<String, String> userMetadata, Map<String, String> tags) {
  /** The header name that holds the ACL, as the text of an {@link AccessList}. */
  public static final String ACL = "x-amz-acl";

  /** The header name of the location to which a website redirects readers of the object. */
  public static final String REDIRECT = "x-amz-website-redirect-location";

  /** The header name of the storage class. */
  public static final String STORAGE_CLASS = "x-amz-storage-class";

  /** The headers that a copy never takes over from its source. */
  private static final Set<String> OWN_HEADERS =
      Set.of(
          ACL,
          REDIRECT,
          STORAGE_CLASS,
          ObjectLock.MODE,
          ObjectLock.RETAIN_UNTIL,
          ObjectLock.LEGAL_HOLD);

  private static final String STANDARD = "STANDARD";

  /** No headers, no user metadata, no tags. */
  public static final ObjectAttributes NONE = new ObjectAttributes(Map.of(), Map.of(), Map.of());

  public ObjectAttributes {
    headers = Map.copyOf(requireNonNull(headers, "headers is null"));
    userMetadata = Map.copyOf(requireNonNull(userMetadata, "userMetadata is null"));
    tags = Map.copyOf(requireNonNull(tags, "tags is null"));
  }

  /** The storage class: as given, otherwise {@code STANDARD}. */
  public String storageClass() {
    return headers.getOrDefault(STORAGE_CLASS, STANDARD);
  }

  /** Those of the headers that a copy never takes over from its source. */
  public Map<String, String> ownHeaders() {
    Map<String, String> found = new HashMap<>(headers);
    found.keySet().retainAll(OWN_HEADERS);
    return found;
  }

  /** These attributes with other {@link #ownHeaders}. */
  public ObjectAttributes withOwnHeaders(Map<String, String> others) {
    Map<String, String> changed = new HashMap<>(headers);
    changed.keySet().removeAll(OWN_HEADERS);
    changed.putAll(others);
    return new ObjectAttributes(changed, userMetadata, tags);
  }

  /** What protects the object from being removed. */
  public ObjectLock lock() {
    return ObjectLock.ofHeaders(headers);
  }

  /** These attributes with another protection. */
  public ObjectAttributes with(ObjectLock lock) {
    Map<String, String> changed = new HashMap<>(headers);
    changed.keySet().removeAll(ObjectLock.HEADERS);
    changed.putAll(lock.headers());
    return new ObjectAttributes(changed, userMetadata, tags);
  }

  /** Who may do what with the object besides its owner. */
  public AccessList acl() {
    String text = headers.get(ACL);
    return text == null ? AccessList.PRIVATE : AccessList.parse(text);
  }

  /** These attributes with another ACL. */
  public ObjectAttributes with(AccessList acl) {
    Map<String, String> changed = new HashMap<>(headers);
    if (acl.equals(AccessList.PRIVATE)) {
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
