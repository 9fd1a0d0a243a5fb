package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.HeaderNames;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.payload.PayloadDecoders;
import dev.tarn.gateway.s3.operation.DecodedBody;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.RequestBodies;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.S3Settings;
import java.util.concurrent.CompletionStage;

/** PutObject and DeleteObject. */
public final class WriteObject {
  private WriteObject() {}

  /** PutObject. */
  public record Put(ObjectTarget target, S3Settings settings) implements Operation.Direct {
    @Override
    public CompletionStage<Response> answer(S3Request request) {
      if (request.query("partNumber") != null) {
        throw Numbers.invalid("uploadId", "", "A part number must come with an uploadId.");
      }
      TargetRequest.Put put =
          new TargetRequest.Put(
              request.scope(),
              request.key(),
              WriteParameters.attributes(request.head().headers(), request.bucket()),
              PayloadDecoders.announcedChecksums(request.head().headers()),
              WriteParameters.preconditions(request.head().headers()));
      requireLength(request);
      DecodedBody body = RequestBodies.ofObject(request, settings);
      return target
          .call(put, body)
          .thenApply(outcome -> {
            ObjectMetadata object = Outcomes.value(outcome, body);
            Response response = Response.of(200);
            response.header(HeaderNames.ETAG, ObjectHeaders.quoted(object.etag()));
            ObjectHeaders.versionMade(response, request.bucket(), object);
            ObjectHeaders.expiry(response, request.bucket(), object);
            ObjectHeaders.checksums(response, object.checksums());
            return response;
          });
    }
  }

  /** DeleteObject. */
  public record Delete(ObjectTarget target) implements Operation.Direct {
    @Override
    public CompletionStage<Response> answer(S3Request request) {
      Preconditions preconditions = WriteParameters.ofDeletion(request.head().headers());
      return target
          .call(
              new TargetRequest.Delete(
                  request.scope(),
                  request.key(),
                  request.version(),
                  preconditions,
                  ObjectLocks.bypassesGovernance(
                      request.head().headers(), request.bucketAccess(), request.key().text())))
          .thenApply(outcome -> {
            Deleted deleted = Outcomes.value(outcome);
            Response response = Response.of(204);
            if (!deleted.versionText().isEmpty()) {
              response.header("x-amz-version-id", deleted.versionText());
            }
            if (deleted.deleteMarker()) {
              response.header("x-amz-delete-marker", "true");
            }
            return response;
          });
    }
  }

  /**
   * Requires that the request declares its body, by a length or as chunked.
   *
   * @throws S3Exception MissingContentLength
   */
  public static void requireLength(S3Request request) {
    if (request.header("content-length") == null && request.header("transfer-encoding") == null) {
      throw S3Exception.of(S3ErrorCode.MISSING_CONTENT_LENGTH);
    }
  }
}
