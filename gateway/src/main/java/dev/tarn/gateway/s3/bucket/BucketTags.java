package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.object.Tags;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.Map;

/** GetBucketTagging, PutBucketTagging, DeleteBucketTagging. */
public final class BucketTags {
  private BucketTags() {}

  /** GetBucketTagging. */
  public record Get() implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      Map<String, String> tags = request.bucket().configuration().tags();
      if (tags.isEmpty()) {
        throw S3Exception.of(S3ErrorCode.NO_SUCH_TAG_SET)
            .with("BucketName", request.bucket().name());
      }
      return Response.of(200).xml(Tags.document(tags));
    }
  }

  /** PutBucketTagging. */
  public record Put(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      BucketOperations.change(
          control, request.bucket(), new BucketChange.SetTags(Tags.ofBucket(document)));
      return Response.of(200); // minio-js takes a 204 for an error.
    }
  }

  /** DeleteBucketTagging. */
  public record Delete(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      BucketOperations.change(control, request.bucket(), new BucketChange.SetTags(Map.of()));
      return Response.of(204);
    }
  }
}
