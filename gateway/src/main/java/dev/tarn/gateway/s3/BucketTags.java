package dev.tarn.gateway.s3;

import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import java.util.Map;

/** GetBucketTagging, PutBucketTagging, DeleteBucketTagging. */
final class BucketTags {
  private BucketTags() {}

  /** GetBucketTagging. */
  record Get() implements Operation.Blocking {
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
  record Put(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      Buckets.change(control, request.bucket(), new BucketChange.SetTags(Tags.ofBucket(document)));
      return Response.of(204);
    }
  }

  /** DeleteBucketTagging. */
  record Delete(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      Buckets.change(control, request.bucket(), new BucketChange.SetTags(Map.of()));
      return Response.of(204);
    }
  }
}
