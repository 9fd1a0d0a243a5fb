package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.List;

/** GetBucketLifecycle, PutBucketLifecycle, DeleteBucketLifecycle. */
public final class BucketLifecycle {
  private BucketLifecycle() {}

  /** GetBucketLifecycle. */
  public record Get() implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      List<LifecycleRule> rules = request.bucket().configuration().lifecycle();
      if (rules.isEmpty()) {
        throw S3Exception.of(S3ErrorCode.NO_SUCH_LIFECYCLE_CONFIGURATION)
            .with("BucketName", request.bucket().name());
      }
      return Response.of(200).xml(LifecycleDocument.write(rules));
    }
  }

  /** PutBucketLifecycle. */
  public record Put(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      if (request.bucket().settings().backend().isPresent()) {
        throw S3Exception.of(
            S3ErrorCode.NOT_IMPLEMENTED,
            "The bucket caches another S3, whose objects are that one's to expire: set the"
                + " lifecycle there.");
      }
      BucketOperations.change(
          control,
          request.bucket(),
          new BucketChange.SetLifecycle(LifecycleDocument.parse(document)));
      return Response.of(200);
    }
  }

  /** DeleteBucketLifecycle. */
  public record Delete(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      BucketOperations.change(control, request.bucket(), new BucketChange.SetLifecycle(List.of()));
      return Response.of(204);
    }
  }
}
