package dev.tarn.targetnode.backend;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.targetnode.backend.Backend.BackendWrite;
import dev.tarn.targetnode.backend.Backend.ByteSpan;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CopyPartResult;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.UploadPartCopyResponse;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** Translates the backend's multipart uploads into the target contract. */
final class S3Uploads {
  private final S3Clients clients;
  private final S3Client s3;
  private final BackendLocation location;

  S3Uploads(S3Clients clients, BackendLocation location) {
    this.clients = clients;
    this.s3 = clients.retrying();
    this.location = location;
  }

  String create(ObjectKey key, ObjectAttributes attributes) {
    CreateMultipartUploadRequest.Builder request =
        CreateMultipartUploadRequest.builder().bucket(location.bucket()).key(location.key(key));
    request.overrideConfiguration(override -> AttributeMapping.into(override, attributes));
    String id = s3.createMultipartUpload(request.build()).uploadId();
    if (id == null || id.isEmpty()) {
      throw new UnusableAnswerException("CreateMultipartUpload without an upload id");
    }
    return id;
  }

  ObjectPart putPart(ObjectKey key, String uploadId, int number, InputStream body, long length) {
    UploadPartResponse answer =
        clients
            .once()
            .uploadPart(
                request ->
                    request
                        .bucket(location.bucket())
                        .key(location.key(key))
                        .uploadId(uploadId)
                        .partNumber(number)
                        .contentLength(length),
                RequestBody.fromInputStream(body, length));
    return new ObjectPart(
        number,
        length,
        etag(answer.eTag(), "UploadPart without an ETag"),
        List.of(),
        System.currentTimeMillis());
  }

  ObjectPart copyPart(
      ObjectKey key, String uploadId, int number, TargetRequest.CopySource source, ByteSpan span) {
    UploadPartCopyResponse answer =
        s3.uploadPartCopy(request -> {
          request.sourceBucket(location.bucket()).sourceKey(location.key(source.key()));
          source.version().ifPresent(request::sourceVersionId);
          request.destinationBucket(location.bucket()).destinationKey(location.key(key));
          request.uploadId(uploadId).partNumber(number);
          if (span.length() > 0) {
            request.copySourceRange(
                "bytes=" + span.offset() + "-" + (span.offset() + span.length() - 1));
          }
        });
    CopyPartResult copied = answer.copyPartResult();
    return new ObjectPart(
        number,
        span.length(),
        etag(copied == null ? null : copied.eTag(), "UploadPartCopy without an ETag"),
        List.of(),
        System.currentTimeMillis());
  }

  BackendWrite complete(UploadRequest.Complete asked) {
    List<CompletedPart> parts =
        asked.parts().stream()
            .map(part ->
                CompletedPart.builder()
                    .partNumber(part.number())
                    .eTag(S3Objects.quoted(part.etag()))
                    .build())
            .toList();
    CompleteMultipartUploadResponse answer =
        s3.completeMultipartUpload(request -> {
          request.bucket(location.bucket()).key(location.key(asked.key()));
          request.uploadId(asked.uploadId()).multipartUpload(upload -> upload.parts(parts));
          asked.sizeBytes().ifPresent(request::mpuObjectSize);
          S3Objects.list(asked.preconditions().ifMatch()).ifPresent(request::ifMatch);
          S3Objects.list(asked.preconditions().ifNoneMatch()).ifPresent(request::ifNoneMatch);
        });
    return S3Objects.write(answer.eTag(), answer.versionId())
        .orElseThrow(() -> new UnusableAnswerException("CompleteMultipartUpload without an ETag"));
  }

  AbortMultipartUploadResponse abort(ObjectKey key, String uploadId) {
    return s3.abortMultipartUpload(
        request -> request.bucket(location.bucket()).key(location.key(key)).uploadId(uploadId));
  }

  static ObjectPart part(Part part) {
    if (part.partNumber() == null
        || part.partNumber() < 1
        || part.partNumber() > ObjectPart.NUMBER_MAX
        || part.size() == null
        || part.size() < 0) {
      throw new UnusableAnswerException("ListParts with a part without a valid number or size");
    }
    return new ObjectPart(
        part.partNumber(),
        part.size(),
        etag(part.eTag(), "ListParts with a part without an ETag"),
        checksum(ChecksumAlgorithm.CRC32, part.checksumCRC32())
            .or(() -> checksum(ChecksumAlgorithm.CRC32C, part.checksumCRC32C()))
            .or(() -> checksum(ChecksumAlgorithm.CRC64NVME, part.checksumCRC64NVME()))
            .or(() -> checksum(ChecksumAlgorithm.SHA1, part.checksumSHA1()))
            .or(() -> checksum(ChecksumAlgorithm.SHA256, part.checksumSHA256()))
            .stream()
            .toList(),
        part.lastModified() == null ? 0 : Math.max(0, part.lastModified().toEpochMilli()));
  }

  /** The ETag of a part, which the backend needs again to complete the upload. */
  private static String etag(@Nullable String given, String problem) {
    if (given == null) {
      throw new UnusableAnswerException(problem);
    }
    return Validator.unquoted(given);
  }

  private static Optional<ObjectChecksum> checksum(
      ChecksumAlgorithm algorithm, @Nullable String value) {
    return Optional.ofNullable(value)
        .map(base64 -> new ObjectChecksum(algorithm, ChecksumType.FULL_OBJECT, base64));
  }
}
