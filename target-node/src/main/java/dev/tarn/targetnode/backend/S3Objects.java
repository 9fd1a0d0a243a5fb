package dev.tarn.targetnode.backend;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.targetnode.backend.Backend.BackendDeletion;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.backend.Backend.BackendPart;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.backend.Backend.BackendWrite;
import dev.tarn.targetnode.backend.Backend.ByteSpan;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.CopyObjectResult;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.GetObjectTaggingResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.TaggingDirective;

/** Translates the backend's operations on objects into the target contract. */
final class S3Objects {
  /** How long a missing key proves that the bucket exists. */
  private static final long BUCKET_KNOWN_NANOS = 1_000_000_000L;

  private static final int NOT_FOUND = 404;
  private static final int NOT_IMPLEMENTED = 501;

  private final S3Clients clients;
  private final S3Client s3;
  private final BackendLocation location;

  /** When the backend last named a key as missing; {@code null} if it never did. */
  private volatile @Nullable Long keyMissedNanos;

  S3Objects(S3Clients clients, BackendLocation location) {
    this.clients = clients;
    this.s3 = clients.retrying();
    this.location = location;
  }

  BackendObject head(ObjectKey key, Optional<String> version) {
    try {
      AnswerHeaders answer = headers(key, version, OptionalLong.empty());
      return answer.totalBytes().isPresent()
          ? answer.object()
          : answer.object(sizeBytes(key, version));
    } catch (S3Exception e) {
      return explained(e, key, version);
    }
  }

  private AnswerHeaders headers(ObjectKey key, Optional<String> version, OptionalLong part) {
    return new AnswerHeaders(
        s3.headObject(
                request -> {
                  request.bucket(location.bucket()).key(location.key(key));
                  version.ifPresent(request::versionId);
                  part.ifPresent(number -> request.partNumber((int) number));
                })
            .sdkHttpResponse());
  }

  /** The size of an object whose HEAD answer does not give it. */
  private long sizeBytes(ObjectKey key, Optional<String> version) {
    try (BackendRead read = read(key, version, 0, 0, Optional.empty())) {
      return read.object().sizeBytes();
    } catch (S3Exception e) {
      if (BackendFailures.isOutOfRange(e)) {
        return 0;
      }
      throw e;
    }
  }

  /**
   * The reason why a HEAD was refused. Its answer has no body, so no code: a bare 404 may be that
   * of a missing bucket. A GET of one byte gives the code. Missing keys are asked for often, so a
   * key that was named as missing proves for a second that the bucket exists.
   */
  private BackendObject explained(S3Exception refusal, ObjectKey key, Optional<String> version) {
    if (BackendFailures.isDeleteMarker(refusal)) {
      throw refusal;
    }
    boolean ofKey = refusal.statusCode() == NOT_FOUND && version.isEmpty();
    if (ofKey && isBucketKnown()) {
      throw new BackendException(new Failure.NoSuchKey(), false, refusal);
    }
    if (refusal.statusCode() >= 500 || BackendFailures.asksToRetry(refusal)) {
      throw refusal;
    }
    try (BackendRead read = read(key, version, 0, 0, Optional.empty())) {
      return read.object();
    } catch (S3Exception explanation) {
      if (BackendFailures.isOutOfRange(explanation)) {
        throw refusal; // The object is empty, and its HEAD was refused.
      }
      if (BackendFailures.codeOf(explanation).equals("NoSuchKey")) {
        keyMissedNanos = System.nanoTime();
      }
      throw explanation;
    }
  }

  private boolean isBucketKnown() {
    Long since = keyMissedNanos;
    return since != null && System.nanoTime() - since < BUCKET_KNOWN_NANOS;
  }

  BackendPart headPart(ObjectKey key, Optional<String> version, int number) {
    AnswerHeaders answer;
    try {
      answer = headers(key, version, OptionalLong.of(number));
    } catch (S3Exception e) {
      if (BackendFailures.isOutOfRange(e)) {
        throw noSuchPart(number, e);
      }
      return onlyPart(explained(e, key, version), number);
    }
    long count = answer.partCount().orElse(0);
    if (count == 0 && !answer.isRange()) {
      return onlyPart(answer.object(), number);
    }
    return answer.isRange() ? part(answer) : readPart(key, version, number);
  }

  /** The place of a part whose HEAD answer does not give it. */
  private BackendPart readPart(ObjectKey key, Optional<String> version, int number) {
    ResponseInputStream<GetObjectResponse> body =
        s3.getObject(request -> {
          request.bucket(location.bucket()).key(location.key(key)).partNumber(number);
          version.ifPresent(request::versionId);
        });
    body.abort();
    AnswerHeaders answer = new AnswerHeaders(body.response().sdkHttpResponse());
    if (!answer.isRange()) {
      throw new UnusableAnswerException("a part without its Content-Range", key.text());
    }
    return part(answer);
  }

  private static BackendPart part(AnswerHeaders answer) {
    return new BackendPart(answer.object(), answer.span(), (int) answer.partCount().orElse(0));
  }

  private static BackendPart onlyPart(BackendObject object, int number) {
    if (number != 1) {
      throw noSuchPart(number, null);
    }
    return new BackendPart(object, new ByteSpan(0, object.sizeBytes()), 0);
  }

  private static BackendException noSuchPart(int number, @Nullable Exception cause) {
    return new BackendException(new Failure.NoSuchPart(number), false, cause);
  }

  BackendRead read(
      ObjectKey key, Optional<String> version, long first, long last, Optional<String> validator) {
    Optional<Validator> expected = validator.map(Validator::new);
    Consumer<GetObjectRequest.Builder> request =
        get -> {
          get.bucket(location.bucket()).key(location.key(key));
          version.ifPresent(get::versionId);
          expected.flatMap(Validator::ifMatch).ifPresent(get::ifMatch);
          if (first > 0 || last != Long.MAX_VALUE) {
            get.range("bytes=" + first + "-" + (last == Long.MAX_VALUE ? "" : last));
          }
        };
    ResponseInputStream<GetObjectResponse> body = s3.getObject(request);
    try {
      AnswerHeaders answer = new AnswerHeaders(body.response().sdkHttpResponse());
      BackendObject object = answer.object();
      long end = first + length(key, answer.span(), first, last);
      BackendBody bytes =
          new BackendBody(
              body,
              answer.span().length(),
              done -> read(key, version, first + done, end - 1, Optional.of(object.validator())));
      return new BackendRead(object, bytes, end - first).expecting(validator);
    } catch (RuntimeException e) {
      body.abort();
      throw e;
    }
  }

  /**
   * The number of bytes of an answer that belong to a range. Some servers answer a range with the
   * whole object. If the range starts at byte 0, the first bytes of the answer are the range.
   */
  private static long length(ObjectKey key, ByteSpan span, long first, long last) {
    if (span.offset() != first) {
      throw new UnusableAnswerException("a range with other bytes", key.text());
    }
    return Math.min(span.length(), last == Long.MAX_VALUE ? last : last - first + 1);
  }

  BackendWrite put(
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
    PutObjectResponse answer =
        clients.once().putObject(request.build(), RequestBody.fromInputStream(body, length));
    return write(answer.eTag(), answer.versionId()).orElseGet(() -> confirmed(key, length));
  }

  /** The result of a PUT whose answer has no ETag: the backend must have the object now. */
  private BackendWrite confirmed(ObjectKey key, long length) {
    BackendObject stored = head(key, Optional.empty());
    if (stored.sizeBytes() != length) {
      throw new UnusableAnswerException(
          "a PUT without an ETag, and the stored object has another size", key.text());
    }
    return new BackendWrite(stored.etag(), stored.validator(), stored.version());
  }

  /** The result of a write; empty if its answer has no ETag. */
  static Optional<BackendWrite> write(@Nullable String etag, @Nullable String version) {
    Validator validator = Validator.of(Optional.ofNullable(etag), 0, 0);
    return validator.isOfAnETag()
        ? Optional.of(
            new BackendWrite(
                validator.etag(),
                validator.text(),
                Optional.ofNullable(version).filter(id -> !id.equals("null"))))
        : Optional.empty();
  }

  BackendDeletion delete(
      ObjectKey key,
      Optional<String> version,
      Preconditions preconditions,
      boolean bypassesGovernance) {
    List<String> ifMatch = preconditions.ifMatch();
    DeleteObjectResponse answer;
    try {
      answer =
          s3.deleteObject(request -> {
            request.bucket(location.bucket()).key(location.key(key));
            version.ifPresent(request::versionId);
            list(ifMatch).ifPresent(request::ifMatch);
            if (bypassesGovernance) {
              request.bypassGovernanceRetention(true);
            }
          });
    } catch (S3Exception e) {
      if (ifMatch.isEmpty() && BackendFailures.codeOf(e).equals("NoSuchKey")) {
        return new BackendDeletion(false, Optional.empty()); // As if AWS had answered 204.
      }
      throw e;
    }
    return new BackendDeletion(
        Boolean.TRUE.equals(answer.deleteMarker()), Optional.ofNullable(answer.versionId()));
  }

  BackendWrite copy(TargetRequest.Copy request, Optional<String> sourceValidator) {
    TargetRequest.CopySource source = request.source();
    CopyObjectResponse answer =
        s3.copyObject(copy -> {
          copy.sourceBucket(location.bucket()).sourceKey(location.key(source.key()));
          source.version().ifPresent(copy::sourceVersionId);
          sourceValidator
              .map(Validator::new)
              .flatMap(Validator::ifMatch)
              .ifPresent(copy::copySourceIfMatch);
          copy.destinationBucket(location.bucket()).destinationKey(location.key(request.key()));
          if (request.attributes().isPresent()) {
            copy.metadataDirective(MetadataDirective.REPLACE);
          }
          ObjectAttributes given = request.attributes().orElse(ObjectAttributes.NONE);
          copy.overrideConfiguration(override ->
              AttributeMapping.into(
                  override, given.with(Map.of()).withOwnHeaders(request.ownHeaders())));
          request
              .tags()
              .ifPresent(tags ->
                  copy.taggingDirective(TaggingDirective.REPLACE)
                      .tagging(AttributeMapping.tagging(tags)));
        });
    CopyObjectResult copied = answer.copyObjectResult();
    return write(copied == null ? null : copied.eTag(), answer.versionId())
        .orElseThrow(() -> new UnusableAnswerException("CopyObject without an ETag"));
  }

  Map<String, String> tags(ObjectKey key, Optional<String> version) {
    GetObjectTaggingResponse answer;
    try {
      answer =
          s3.getObjectTagging(request -> {
            request.bucket(location.bucket()).key(location.key(key));
            version.ifPresent(request::versionId);
          });
    } catch (S3Exception e) {
      if (e.statusCode() == NOT_IMPLEMENTED) {
        return Map.of(); // Objects of such a backend cannot have tags.
      }
      throw e;
    }
    if (!answer.hasTagSet()) {
      throw new UnusableAnswerException("GetObjectTagging without a TagSet");
    }
    Map<String, String> tags = new HashMap<>();
    answer.tagSet().forEach(tag -> tags.put(requireNonNull(tag.key()), textOf(tag)));
    return tags;
  }

  private static String textOf(Tag tag) {
    return tag.value() == null ? "" : tag.value();
  }

  void setTags(ObjectKey key, Optional<String> version, Map<String, String> tags) {
    List<Tag> set =
        tags.entrySet().stream()
            .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
            .toList();
    s3.putObjectTagging(request -> {
      request.bucket(location.bucket()).key(location.key(key));
      request.tagging(tagging -> tagging.tagSet(set));
      version.ifPresent(request::versionId);
    });
  }

  /** A header's value with these ETags; empty for none. */
  static Optional<String> list(List<String> etags) {
    return etags.isEmpty()
        ? Optional.empty()
        : Optional.of(etags.stream().map(S3Objects::quoted).collect(Collectors.joining(", ")));
  }

  static String quoted(String etag) {
    return etag.equals("*") ? etag : '"' + etag + '"';
  }
}
