package dev.tarn.gateway.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the bucket and the key of a request. Path style ({@code /bucket/key}) always works;
 * virtual-host style ({@code bucket.domain}) works for the configured domains. Bucket names may
 * contain dots in both.
 */
public final class Addressing {
  /** Supports path style only. */
  public static final Addressing PATH_STYLE = new Addressing(List.of());

  /** Each with a leading dot, in lower case; the longest first. */
  private final List<String> suffixes;

  /** Also supports virtual-host style for {@code domains}, such as {@code s3.example.org}. */
  public Addressing(List<String> domains) {
    this.suffixes =
        domains.stream()
            .map(domain -> "." + domain.toLowerCase(Locale.ROOT))
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /**
   * Finds what a request addresses.
   *
   * @throws S3Exception InvalidURI if the path is not properly encoded UTF-8; KeyTooLongError;
   *     InvalidBucketName if there is a key but no bucket, or a slash in the bucket's name
   */
  public RequestTarget resolve(RequestHead head) {
    String path = head.rawPath();
    Optional<String> hostBucket = hostBucket(head);
    if (hostBucket.isPresent()) {
      return target(hostBucket.orElseThrow(), path.substring(1));
    }
    if (path.length() == 1) {
      return new RequestTarget.Service();
    }
    int slash = path.indexOf('/', 1);
    String bucket =
        PercentEncoding.decodePath(path.substring(1, slash < 0 ? path.length() : slash));
    if (bucket.isEmpty()) {
      throw S3Exception.of(
              S3ErrorCode.INVALID_BUCKET_NAME, "The path begins with //: it names no bucket.")
          .with("BucketName", "");
    }
    // An escaped slash and the slash between bucket and key can have the same signature.
    if (bucket.indexOf('/') >= 0) {
      throw S3Exception.of(
              S3ErrorCode.INVALID_BUCKET_NAME, "The specified bucket is not valid: it has a slash.")
          .with("BucketName", bucket);
    }
    return target(bucket, slash < 0 ? "" : path.substring(slash + 1));
  }

  /** The bucket that the Host header names; empty if the host is not below one of the domains. */
  public Optional<String> hostBucket(RequestHead head) {
    String host = suffixes.isEmpty() ? null : head.headers().first("host");
    return host == null ? Optional.empty() : Optional.ofNullable(bucketOf(host));
  }

  private @Nullable String bucketOf(String host) {
    int colon = host.lastIndexOf(':');
    String name = (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
    for (String suffix : suffixes) {
      // A host that equals a domain uses path style, even if the host also ends with a shorter
      // domain.
      if (name.equals(suffix.substring(1))) {
        return null;
      }
      if (name.endsWith(suffix) && name.length() > suffix.length()) {
        return name.substring(0, name.length() - suffix.length());
      }
    }
    return null;
  }

  private static RequestTarget target(String bucket, String rawKey) {
    if (rawKey.isEmpty()) {
      return new RequestTarget.OfBucket(bucket);
    }
    byte[] key = PercentEncoding.decodePath(rawKey).getBytes(UTF_8);
    if (key.length > ObjectKey.BYTES_MAX) {
      throw S3Exception.of(S3ErrorCode.KEY_TOO_LONG)
          .with("Size", Integer.toString(key.length))
          .with("MaxSizeAllowed", Integer.toString(ObjectKey.BYTES_MAX));
    }
    return new RequestTarget.OfObject(bucket, ObjectKey.of(key));
  }
}
