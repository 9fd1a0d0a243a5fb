package dev.tarn.gateway.s3.multipart;

import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.payload.PayloadDecoders;
import dev.tarn.gateway.s3.object.Checksums;
import dev.tarn.gateway.s3.object.WriteParameters;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.Optional;

/** CreateMultipartUpload and AbortMultipartUpload. */
public final class UploadOperations {
  private UploadOperations() {}

  /** CreateMultipartUpload. */
  public record Create(ObjectTarget target) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      ObjectAttributes attributes =
          WriteParameters.attributes(request.head().headers(), request.bucket());
      Optional<ChecksumAlgorithm> algorithm =
          request
              .head()
              .headers()
              .find("x-amz-checksum-algorithm")
              .map(PayloadDecoders::checksumAlgorithm);
      Optional<ChecksumType> type = type(request, algorithm);
      String uploadId =
          Outcomes.await(
              target.call(
                  new TargetRequest.CreateUpload(
                      request.scope(), request.key(), attributes, algorithm, type)));
      Response response = Response.of(200);
      algorithm.ifPresent(value -> response.header("x-amz-checksum-algorithm", value.name()));
      type.ifPresent(value -> response.header("x-amz-checksum-type", value.name()));
      return response.xml(
          XmlWriter.document("InitiateMultipartUploadResult", 512)
              .element("Bucket", request.bucket().name())
              .element("Key", request.key().text())
              .element("UploadId", uploadId)
              .close("InitiateMultipartUploadResult")
              .bytes());
    }
  }

  private static Optional<ChecksumType> type(
      S3Request request, Optional<ChecksumAlgorithm> algorithm) {
    Optional<ChecksumType> given =
        request.head().headers().find("x-amz-checksum-type").map(Checksums::type);
    if (given.isPresent() && algorithm.isEmpty()) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm"
              + " header.");
    }
    return algorithm.map(chosen -> {
      ChecksumType type = given.orElse(Checksums.defaultType(chosen));
      Checksums.requirePossible(chosen, type);
      return type;
    });
  }

  /** AbortMultipartUpload. */
  public record Abort(ObjectTarget target) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      WriteParameters.refuseWhatWouldBeLost(request.head().headers());
      if (request.decision() == Decision.BY_INITIATOR) {
        parts(target, request, 0, 0);
      }
      Outcomes.await(
          target.call(new UploadRequest.Abort(request.scope(), request.key(), id(request))));
      return Response.of(204);
    }
  }

  /**
   * A page of an upload's parts, for callers who may have it. Of those who may have it only as the
   * upload's initiator, others are not told whether there is such an upload.
   *
   * @throws S3Exception AccessDenied, NoSuchUpload
   */
  static PartPage parts(ObjectTarget target, S3Request request, int after, int max) {
    Outcome<PartPage> page =
        target
            .call(
                new UploadRequest.ListParts(
                    request.scope(), request.key(), id(request), after, max))
            .toCompletableFuture()
            .join();
    if (request.decision() == Decision.BY_INITIATOR && !isOfInitiator(request, page)) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
    return Outcomes.value(page);
  }

  private static boolean isOfInitiator(S3Request request, Outcome<PartPage> page) {
    User user = request.user();
    Optional<String> caller = Optional.of(user == null ? "" : user.id());
    return switch (page) {
      case Outcome.Success<PartPage>(PartPage known) -> known.details().initiator().equals(caller);
      case Outcome.Failed<PartPage>(Failure failure) -> !(failure instanceof Failure.NoSuchUpload);
    };
  }

  /**
   * The id of the upload that a request names.
   *
   * @throws S3Exception NoSuchUpload if there is none
   */
  static String id(S3Request request) {
    String id = request.query("uploadId", "");
    if (id.isEmpty()) {
      throw S3Exception.of(S3ErrorCode.NO_SUCH_UPLOAD).with("UploadId", id);
    }
    return id;
  }
}
