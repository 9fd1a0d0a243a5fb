package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.HttpDates;
import dev.tarn.gateway.payload.ContentEncodings;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.s3.operation.AclHeaders;
import dev.tarn.gateway.s3.operation.HeaderText;
import dev.tarn.gateway.s3.operation.Numbers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parameters of a write: the object's attributes and the preconditions. */
public final class WriteParameters {
  private static final String META_PREFIX = "x-amz-meta-";
  private static final int META_BYTES_MAX = 2048;
  private static final String IF_MATCH_SIZE = "x-amz-if-match-size";
  private static final String IF_MATCH_TIME = "x-amz-if-match-last-modified-time";

  /** The headers with a refused prefix that deletions obey. */
  private static final Set<String> OF_DELETIONS = Set.of(IF_MATCH_SIZE, IF_MATCH_TIME);

  /** The headers with a refused prefix that writes of objects obey. */
  private static final Set<String> OF_OBJECTS =
      Stream.concat(ObjectLock.HEADERS.stream(), AclHeaders.GRANT_HEADERS.stream())
          .collect(Collectors.toUnmodifiableSet());

  private static final List<String> CONTENT_HEADERS =
      List.of(
          "content-type", "content-language", "content-disposition", "cache-control", "expires");

  private static final Set<String> STORAGE_CLASSES =
      Set.of(
          "STANDARD",
          "REDUCED_REDUNDANCY",
          "STANDARD_IA",
          "ONEZONE_IA",
          "INTELLIGENT_TIERING",
          "GLACIER",
          "DEEP_ARCHIVE",
          "GLACIER_IR",
          "EXPRESS_ONEZONE");

  /** Headers that must not be ignored, because the client relies on their effect. */
  private static final List<String> REFUSED_PREFIXES =
      List.of(
          "x-amz-server-side-encryption",
          "x-amz-copy-source-server-side-encryption",
          "x-amz-object-lock-",
          "x-amz-grant-",
          "x-amz-if-match-",
          "x-amz-meta-snowball-auto-extract",
          "x-amz-write-offset-bytes");

  private WriteParameters() {}

  /**
   * The object's headers, ACL, protection, user metadata and tags.
   *
   * @throws S3Exception InvalidRequest, MetadataTooLarge, InvalidArgument, InvalidStorageClass,
   *     InvalidRedirectLocation, InvalidTag, NotImplemented
   */
  public static ObjectAttributes attributes(Headers headers, Bucket bucket) {
    refuseWhatWouldBeLost(headers, OF_OBJECTS);
    Map<String, String> content = new HashMap<>();
    for (String name : CONTENT_HEADERS) {
      String value = headers.first(name);
      if (value != null) {
        content.put(name, HeaderText.requireValue(name, value));
      }
    }
    String encoding = ContentEncodings.ofObject(headers.all("content-encoding"));
    if (!encoding.isEmpty()) {
      content.put("content-encoding", HeaderText.requireValue("content-encoding", encoding));
    }
    String storageClass = headers.first(ObjectAttributes.STORAGE_CLASS);
    if (storageClass != null) {
      content.put(ObjectAttributes.STORAGE_CLASS, checkedStorageClass(storageClass));
    }
    String redirect = headers.first(ObjectAttributes.REDIRECT);
    if (redirect != null) {
      content.put(ObjectAttributes.REDIRECT, checkedRedirect(redirect));
    }
    AccessList acl = AclHeaders.ofObject(headers, bucket);
    if (!acl.equals(AccessList.PRIVATE)) {
      content.put(AclHeaders.HEADER, acl.text());
    }
    content.putAll(ObjectLocks.named(headers, bucket).headers());
    return new ObjectAttributes(content, userMetadata(headers), Tags.ofHeader(headers));
  }

  /**
   * Refuses a write that requests a feature that is not implemented.
   *
   * @throws S3Exception NotImplemented
   */
  public static void refuseWhatWouldBeLost(Headers headers) {
    refuseWhatWouldBeLost(headers, Set.of());
  }

  /**
   * As {@link #refuseWhatWouldBeLost(Headers)}, except for headers that the operation obeys.
   *
   * @throws S3Exception NotImplemented
   */
  public static void refuseWhatWouldBeLost(Headers headers, Set<String> obeyed) {
    for (int index = 0; index < headers.size(); index++) {
      String name = headers.nameAt(index);
      if (name.startsWith("x-amz-") && !obeyed.contains(name)) {
        for (String prefix : REFUSED_PREFIXES) {
          if (name.startsWith(prefix)) {
            throw notImplemented(name);
          }
        }
      }
    }
  }

  /**
   * The precondition of a write: If-Match or If-None-Match, with ETags or an asterisk.
   *
   * @throws S3Exception NotImplemented for both together
   */
  public static Preconditions preconditions(Headers headers) {
    List<String> ifMatch = ReadParameters.etags(headers.first("if-match"));
    List<String> ifNoneMatch = ReadParameters.etags(headers.first("if-none-match"));
    if (!ifMatch.isEmpty() && !ifNoneMatch.isEmpty()) {
      throw notImplemented("If-Match,If-None-Match");
    }
    return ifMatch.isEmpty() && ifNoneMatch.isEmpty()
        ? Preconditions.NONE
        : new Preconditions(ifMatch, ifNoneMatch, OptionalLong.empty(), OptionalLong.empty());
  }

  /**
   * The preconditions of a deletion: those of a write, and the object's size and time.
   *
   * @throws S3Exception NotImplemented, InvalidArgument
   */
  static Preconditions ofDeletion(Headers headers) {
    refuseWhatWouldBeLost(headers, OF_DELETIONS);
    return ofDeletion(
        preconditions(headers), headers.first(IF_MATCH_SIZE), headers.first(IF_MATCH_TIME));
  }

  /**
   * Preconditions together with the size and the time that the object must have.
   *
   * @param size in bytes; null for any
   * @param modified a date as HTTP writes it; null for any
   * @throws S3Exception InvalidArgument
   */
  static Preconditions ofDeletion(
      Preconditions conditions, @Nullable String size, @Nullable String modified) {
    if (size == null && modified == null) {
      return conditions;
    }
    return new Preconditions(
        conditions.ifMatch(),
        conditions.ifNoneMatch(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        size == null
            ? OptionalLong.empty()
            : OptionalLong.of(Numbers.sizeBytes(IF_MATCH_SIZE, size)),
        modified == null ? OptionalLong.empty() : OptionalLong.of(time(modified)));
  }

  private static long time(String modified) {
    return HttpDates.parse(modified)
        .orElseThrow(() ->
            Numbers.invalid(
                IF_MATCH_TIME,
                modified,
                "The time must be a date such as Sun, 06 Nov 1994 08:49:37 GMT."));
  }

  private static Map<String, String> userMetadata(Headers headers) {
    Map<String, String> metadata = new HashMap<>();
    int bytes = 0;
    for (int index = 0; index < headers.size(); index++) {
      String name = headers.nameAt(index);
      if (name.startsWith(META_PREFIX)) {
        HeaderText.requireName(name);
        String value = HeaderText.requireValue(name, HeaderText.decoded(headers.valueAt(index)));
        String key = name.substring(META_PREFIX.length());
        bytes += key.length() + value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes <= META_BYTES_MAX) {
          metadata.merge(key, value, (first, second) -> first + "," + second);
        }
      }
    }
    if (bytes > META_BYTES_MAX) {
      throw S3Exception.of(S3ErrorCode.METADATA_TOO_LARGE)
          .with("Size", Integer.toString(bytes))
          .with("MaxSizeAllowed", Integer.toString(META_BYTES_MAX));
    }
    return metadata;
  }

  private static String checkedStorageClass(String storageClass) {
    if (!STORAGE_CLASSES.contains(storageClass)) {
      throw S3Exception.of(S3ErrorCode.INVALID_STORAGE_CLASS)
          .with("StorageClassRequested", storageClass);
    }
    return storageClass;
  }

  private static String checkedRedirect(String location) {
    HeaderText.requireValue(ObjectAttributes.REDIRECT, location);
    if (!location.startsWith("/")
        && !location.startsWith("http://")
        && !location.startsWith("https://")) {
      throw S3Exception.of(S3ErrorCode.INVALID_REDIRECT_LOCATION)
          .with("RedirectLocation", location);
    }
    return location;
  }

  private static S3Exception notImplemented(String header) {
    return S3Exception.of(
            S3ErrorCode.NOT_IMPLEMENTED,
            "A header you provided implies functionality that is not implemented: " + header + ".")
        .with("Header", header);
  }
}
