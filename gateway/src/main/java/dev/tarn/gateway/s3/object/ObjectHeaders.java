package dev.tarn.gateway.s3.object;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.gateway.http.HeaderNames;
import dev.tarn.gateway.http.HttpDates;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.request.PercentEncoding;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.List;
import java.util.Map;

/** What an answer's headers say about an object. */
public final class ObjectHeaders {
  private static final String STANDARD = "STANDARD";
  private static final String CHECKSUM_TYPE = "x-amz-checksum-type";

  private ObjectHeaders() {}

  /** ETag, time and version: what a 304 carries too. */
  static void validators(Response response, Bucket bucket, ObjectMetadata object) {
    response.header(HeaderNames.ETAG, quoted(object.etag()));
    response.header(HeaderNames.LAST_MODIFIED, HttpDates.format(object.modifiedMs()));
    version(response, bucket, object);
  }

  /** The version, of a bucket that has or has had versions. */
  static void version(Response response, Bucket bucket, ObjectMetadata object) {
    if (bucket.configuration().versioning() != Versioning.OFF) {
      response.header("x-amz-version-id", object.versionText());
    }
  }

  /** The version that a write made. One without an id of its own is not told, as on AWS. */
  public static void versionMade(Response response, Bucket bucket, ObjectMetadata object) {
    if (!object.nullVersion()) {
      version(response, bucket, object);
    }
  }

  /** The rule of the bucket's lifecycle that ends the object first, if there is one. */
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

  /** What the writer said about the object, but for the headers that the reader overrides. */
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
      response.header("x-amz-meta-" + header.getKey(), wire(header.getValue()));
    }
  }

  /** How many tags the object has, for those who may read them. */
  static void tagCount(Response response, S3Request request, ObjectAttributes attributes) {
    if (!attributes.tags().isEmpty() && request.mayReadTags()) {
      response.header("x-amz-tagging-count", Integer.toString(attributes.tags().size()));
    }
  }

  /** The checksums, each in a header of its own. */
  public static void checksums(Response response, List<ObjectChecksum> checksums) {
    for (ObjectChecksum checksum : checksums) {
      response.header(checksum.algorithm().headerName(), checksum.value());
    }
    if (!checksums.isEmpty()) {
      response.header(CHECKSUM_TYPE, checksums.getFirst().type().name());
    }
  }

  /** A part's own checksums, where those of the object are made of them. */
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

  /** The text as it travels: one character for each byte of its UTF-8. */
  public static String wire(String text) {
    for (int index = 0; index < text.length(); index++) {
      if (text.charAt(index) >= 0x80) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
      }
    }
    return text;
  }

  /** The default storage class, and the ACL, which is for who may read that. */
  private static boolean isUntold(String name, String value) {
    return (name.equals("x-amz-storage-class") && value.equals(STANDARD))
        || name.equals(ObjectAttributes.ACL);
  }
}
