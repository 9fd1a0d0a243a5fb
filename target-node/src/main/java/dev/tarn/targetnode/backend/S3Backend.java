package dev.tarn.targetnode.backend;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadRequest;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.TaggingDirective;

/** A backend accessed through the AWS SDK. */
public final class S3Backend implements Backend {
  private final S3Clients clients;
  private final S3Client s3;
  private final BackendLocation location;
  private final S3Listing listing;
  private final S3Uploads uploads;
  private final BackendFailures failures;
  private final Optional<String> traceparent;

  private S3Backend(
      S3Clients clients,
      BackendLocation location,
      BackendFailures failures,
      Optional<String> traceparent) {
    this.failures = requireNonNull(failures, "failures is null");
    this.traceparent = traceparent;
    this.clients = requireNonNull(clients, "clients is null");
    this.s3 = clients.retrying();
    this.location = requireNonNull(location, "location is null");
    this.listing = new S3Listing(s3, location);
    this.uploads = new S3Uploads(clients, location);
  }

  /** The backend with these settings; connects at the first call. */
  public static Backend open(BackendSettings settings, BackendLimits limits) {
    BackendLocation location = BackendLocation.of(settings);
    return new S3Backend(
        S3Clients.open(settings, limits),
        location,
        new BackendFailures(location.toString()),
        Optional.empty());
  }

  @Override
  public Backend tracedBy(String given) {
    return new S3Backend(clients, location, failures, Optional.of(given));
  }

  @Override
  public BackendObject head(ObjectKey key, Optional<String> version) {
    return calling(() ->
        object(
            s3.headObject(
                    request -> {
                      request.bucket(location.bucket()).key(location.key(key));
                      version.ifPresent(request::versionId);
                    })
                .sdkHttpResponse()));
  }

  @Override
  public BackendRead read(
      ObjectKey key, Optional<String> version, long first, long last, Optional<String> ifMatch) {
    Consumer<GetObjectRequest.Builder> request =
        get -> {
          get.bucket(location.bucket()).key(location.key(key));
          version.ifPresent(get::versionId);
          ifMatch.ifPresent(etag -> get.ifMatch(quoted(etag)));
          if (first > 0 || last != Long.MAX_VALUE) {
            get.range("bytes=" + first + "-" + (last == Long.MAX_VALUE ? "" : last));
          }
        };
    return calling(() -> {
      ResponseInputStream<GetObjectResponse> body = s3.getObject(request);
      if (first > 0 && !beginsAt(body.response(), first)) {
        body.abort();
        throw SdkClientException.create("it answered a range with other bytes");
      }
      long length = body.response().contentLength();
      return new BackendRead(
          object(body.response().sdkHttpResponse()), new BackendBody(body, length), length);
    });
  }

  /**
   * Whether an answer to a range request begins at the requested byte. Some servers send the whole
   * object.
   */
  private static boolean beginsAt(GetObjectResponse answer, long first) {
    String range = answer.contentRange();
    return range != null && range.startsWith("bytes " + first + "-");
  }

  @Override
  public BackendWrite put(
      ObjectKey key,
      ObjectAttributes attributes,
      InputStream body,
      long length,
      Preconditions preconditions) {
    PutObjectRequest.Builder request =
        PutObjectRequest.builder()
            .bucket(location.bucket())
            .key(location.key(key))
            .contentLength(length);
    request.overrideConfiguration(override -> AttributeMapping.into(override, attributes));
    list(preconditions.ifMatch()).ifPresent(request::ifMatch);
    list(preconditions.ifNoneMatch()).ifPresent(request::ifNoneMatch);
    return calling(() -> {
      PutObjectResponse answer =
          clients.once().putObject(request.build(), RequestBody.fromInputStream(body, length));
      return new BackendWrite(unquoted(answer.eTag()), Optional.ofNullable(answer.versionId()));
    });
  }

  @Override
  public BackendDeletion delete(
      ObjectKey key, Optional<String> version, Preconditions preconditions) {
    return calling(() -> {
      DeleteObjectResponse answer =
          s3.deleteObject(request -> {
            request.bucket(location.bucket()).key(location.key(key));
            version.ifPresent(request::versionId);
            list(preconditions.ifMatch()).ifPresent(request::ifMatch);
          });
      return new BackendDeletion(
          Boolean.TRUE.equals(answer.deleteMarker()), Optional.ofNullable(answer.versionId()));
    });
  }

  @Override
  public BackendWrite copy(
      TargetRequest.CopySource source,
      ObjectKey key,
      Optional<ObjectAttributes> attributes,
      Optional<Map<String, String>> tags) {
    return calling(() -> {
      CopyObjectResponse answer =
          s3.copyObject(copy -> {
            copy.sourceBucket(location.bucket()).sourceKey(location.key(source.key()));
            source.version().ifPresent(copy::sourceVersionId);
            copy.destinationBucket(location.bucket()).destinationKey(location.key(key));
            attributes.ifPresent(given -> {
              copy.metadataDirective(MetadataDirective.REPLACE);
              copy.overrideConfiguration(
                  override -> AttributeMapping.into(override, given.with(Map.of())));
            });
            tags.ifPresent(given ->
                copy.taggingDirective(TaggingDirective.REPLACE)
                    .tagging(AttributeMapping.tagging(given)));
          });
      return new BackendWrite(
          unquoted(answer.copyObjectResult().eTag()), Optional.ofNullable(answer.versionId()));
    });
  }

  @Override
  public void setTags(ObjectKey key, Optional<String> version, Map<String, String> tags) {
    List<Tag> set =
        tags.entrySet().stream()
            .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
            .toList();
    calling(() ->
        s3.putObjectTagging(request -> {
          request.bucket(location.bucket()).key(location.key(key));
          request.tagging(tagging -> tagging.tagSet(set));
          version.ifPresent(request::versionId);
        }));
  }

  @Override
  public ListPage list(String prefix, String delimiter, String after, int entriesMax) {
    return calling(() -> listing.objects(prefix, delimiter, after, entriesMax));
  }

  @Override
  public String createUpload(ObjectKey key, ObjectAttributes attributes) {
    return calling(() -> uploads.create(key, attributes));
  }

  @Override
  public ObjectPart putPart(
      ObjectKey key, String uploadId, int number, InputStream body, long length) {
    return calling(() -> uploads.putPart(key, uploadId, number, body, length));
  }

  @Override
  public ObjectPart copyPart(
      ObjectKey key, String uploadId, int number, TargetRequest.CopySource source, ByteSpan span) {
    return calling(() -> uploads.copyPart(key, uploadId, number, source, span));
  }

  @Override
  public BackendWrite complete(UploadRequest.Complete request) {
    return calling(() -> uploads.complete(request));
  }

  @Override
  public void abort(ObjectKey key, String uploadId) {
    calling(() -> uploads.abort(key, uploadId));
  }

  @Override
  public PartPage listParts(ObjectKey key, String uploadId, int afterNumber, int partsMax) {
    return calling(() -> listing.parts(key, uploadId, afterNumber, partsMax));
  }

  @Override
  public UploadPage listUploads(TargetRequest.ListUploads request) {
    return calling(() -> listing.uploads(request));
  }

  @Override
  public void close() {
    clients.close();
  }

  private <T> T calling(Supplier<T> call) {
    return traceparent.isEmpty()
        ? failures.translating(call)
        : ScopedValue.where(TraceHeader.TRACEPARENT, traceparent.orElseThrow())
            .call(() -> failures.translating(call));
  }

  private static BackendObject object(SdkHttpResponse answer) {
    return new BackendObject(
        sizeBytes(answer),
        unquoted(answer.firstMatchingHeader("etag").orElse("")),
        answer.firstMatchingHeader("x-amz-version-id").filter(version -> !version.equals("null")),
        answer
            .firstMatchingHeader("last-modified")
            .map(date -> Instant.from(RFC_1123_DATE_TIME.parse(date)).toEpochMilli())
            .orElse(0L),
        AttributeMapping.of(answer),
        answer
            .firstMatchingHeader("x-amz-mp-parts-count")
            .map(count -> OptionalLong.of(Long.parseLong(count)))
            .orElseGet(OptionalLong::empty));
  }

  /** The size of the whole object, also if the answer holds only a range. */
  private static long sizeBytes(SdkHttpResponse answer) {
    Optional<String> range = answer.firstMatchingHeader("content-range");
    String size =
        range
            .map(value -> value.substring(value.lastIndexOf('/') + 1))
            .or(() -> answer.firstMatchingHeader("content-length"))
            .orElse("0");
    return Long.parseLong(size);
  }

  /** A header's value with these ETags; empty for none. */
  static Optional<String> list(List<String> etags) {
    return etags.isEmpty()
        ? Optional.empty()
        : Optional.of(etags.stream().map(S3Backend::quoted).collect(Collectors.joining(", ")));
  }

  static String quoted(String etag) {
    return etag.equals("*") ? etag : '"' + etag + '"';
  }

  static String unquoted(String etag) {
    return etag.length() >= 2 && etag.startsWith("\"") && etag.endsWith("\"")
        ? etag.substring(1, etag.length() - 1)
        : etag;
  }
}
