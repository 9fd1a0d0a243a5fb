package dev.tarn.gateway.s3.object;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.Origin;
import dev.tarn.gateway.http.HeaderNames;
import dev.tarn.gateway.http.HttpDates;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.request.PercentEncoding;
import dev.tarn.gateway.s3.operation.HeaderText;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.List;
import java.util.Map;

/** The headers of an answer that describe an object. */
public final class ObjectHeaders {
  /** The name of the manifest in the folder of a data set. */
  private static final String MANIFEST = "dataset.json";

  private static final String CHECKSUM_TYPE = "x-amz-checksum-type";

  private ObjectHeaders() {}

  /** ETag, time and version; a 304 answer has these too. */
  static void validators(Response response, Bucket bucket, ObjectMetadata object) {
    response.header(HeaderNames.ETAG, quoted(object.etag()));
    response.header(HeaderNames.LAST_MODIFIED, HttpDates.format(object.modifiedMs()));
    version(response, bucket, object);
  }

  /** The version, if the bucket has or had versioning; of a backend's object, the backend's. */
  static void version(Response response, Bucket bucket, ObjectMetadata object) {
    Origin origin = object.origin();
    if (origin != null && origin.version() != null) {
      response.header("x-amz-version-id", origin.version());
    } else if (bucket.configuration().versioning() != Versioning.OFF) {
      response.header("x-amz-version-id", object.versionText());
    }
  }

  /** The version that a write created. The null version is not shown, as on AWS. */
  public static void versionMade(Response response, Bucket bucket, ObjectMetadata object) {
    if (!object.nullVersion() || object.origin() != null) {
      version(response, bucket, object);
    }
  }

  /**
   * The place of a data set's manifest at the backend, for callers with keys of a user, unless the
   * bucket hides it. The client SDK reads the data set there while this cluster is away.
   */
  static void backend(Response response, S3Request request) {
    BucketSettings settings = request.bucket().settings();
    BackendSettings backend = settings.backend().orElse(null);
    if (backend == null
        || settings.hideBackend()
        || !isManifest(request.key())
        || !request.isSignedInHeader()) {
      return;
    }
    String path = PercentEncoding.encodePath(backend.prefix() + request.key().text());
    response.header("x-tarn-origin", "s3://" + backend.bucket() + '/' + path);
    if (!backend.region().isBlank()) {
      response.header("x-tarn-origin-region", backend.region());
    }
    backend
        .endpointWithoutSecrets()
        .ifPresent(endpoint -> response.header("x-tarn-origin-endpoint", endpoint));
  }

  private static boolean isManifest(ObjectKey key) {
    if (key.length() < MANIFEST.length()
        || key.byteAt(key.length() - 1) != MANIFEST.charAt(MANIFEST.length() - 1)) {
      return false;
    }
    String text = key.text();
    return text.equals(MANIFEST) || text.endsWith("/" + MANIFEST);
  }

  /** The lifecycle rule of the bucket that expires the object first, if there is one. */
  public static void expiry(Response response, Bucket bucket, ObjectMetadata object) {
    List<LifecycleRule> rules = bucket.configuration().lifecycle();
    LifecycleRule first = null;
    long firstMs = Long.MAX_VALUE;
    for (LifecycleRule rule : rules) {
      long expiresMs = rule.expiresMs(object.modifiedMs()).orElse(Long.MAX_VALUE);
      if (expiresMs < firstMs
          && rule.filter()
              .includes(object.name().key(), object.sizeBytes(), object.attributes()::tags)) {
        first = rule;
        firstMs = expiresMs;
      }
    }
    if (first != null) {
      response.header(
          "x-amz-expiration",
          "expiry-date=\"%s\", rule-id=\"%s\""
              .formatted(HttpDates.format(firstMs), PercentEncoding.encode(first.id())));
    }
  }

  /**
   * The headers and metadata of the object's writer, except for the headers that the reader
   * overrides.
   */
  static void attributes(
      Response response, ObjectAttributes attributes, Map<String, String> overrides) {
    boolean typed = false;
    for (Map.Entry<String, String> header : attributes.headers().entrySet()) {
      String name = header.getKey();
      if (!overrides.containsKey(name) && !isUntold(name, header.getValue())) {
        typed |= name.equals("content-type");
        response.header(name, wire(header.getValue()));
      }
    }
    for (Map.Entry<String, String> header : overrides.entrySet()) {
      typed |= header.getKey().equals("content-type");
      response.header(header.getKey(), wire(header.getValue()));
    }
    if (!typed) {
      response.header(HeaderNames.CONTENT_TYPE, HeaderNames.OCTET_STREAM);
    }
    for (Map.Entry<String, String> header : attributes.userMetadata().entrySet()) {
      response.header("x-amz-meta-" + header.getKey(), HeaderText.encoded(header.getValue()));
    }
  }

  /** The number of tags, if the caller may read them. */
  static void tagCount(Response response, S3Request request, ObjectAttributes attributes) {
    if (!attributes.tags().isEmpty() && request.mayReadTags(attributes.tags())) {
      response.header("x-amz-tagging-count", Integer.toString(attributes.tags().size()));
    }
  }

  /** The checksums, each in its own header. */
  public static void checksums(Response response, List<ObjectChecksum> checksums) {
    for (ObjectChecksum checksum : checksums) {
      response.header(checksum.algorithm().headerName(), checksum.value());
    }
    if (!checksums.isEmpty()) {
      response.header(CHECKSUM_TYPE, checksums.getFirst().type().name());
    }
  }

  /** The checksums of a part, if the object's checksums are composed of those of its parts. */
  static void partChecksums(Response response, ObjectMetadata object, int number) {
    List<ObjectChecksum> ofPart =
        object.parts().stream()
            .filter(part -> part.number() == number)
            .flatMap(part -> part.checksums().stream())
            .filter(checksum -> isComposite(object, checksum.algorithm()))
            .toList();
    for (ObjectChecksum checksum : ofPart) {
      response.header(checksum.algorithm().headerName(), checksum.value());
    }
    if (!ofPart.isEmpty()) {
      response.header(CHECKSUM_TYPE, ChecksumType.COMPOSITE.name());
    }
  }

  private static boolean isComposite(ObjectMetadata object, ChecksumAlgorithm algorithm) {
    return object.checksums().stream()
        .anyMatch(checksum ->
            checksum.algorithm() == algorithm && checksum.type() == ChecksumType.COMPOSITE);
  }

  /** An ETag in quotes. */
  public static String quoted(String etag) {
    return '"' + etag + '"';
  }

  /** The text in the form for headers: one character for each byte of its UTF-8. */
  public static String wire(String text) {
    for (int index = 0; index < text.length(); index++) {
      if (text.charAt(index) >= 0x80) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
      }
    }
    return text;
  }

  /**
   * Whether a header is not shown: the default storage class, and the ACL and the lock, which need
   * their own permissions.
   */
  private static boolean isUntold(String name, String value) {
    return (name.equals(ObjectAttributes.STORAGE_CLASS)
            && value.equals(ObjectAttributes.NONE.storageClass()))
        || name.equals(ObjectAttributes.ACL)
        || ObjectLock.HEADERS.contains(name);
  }
}
