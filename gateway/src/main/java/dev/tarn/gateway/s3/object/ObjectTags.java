package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.Map;

/** GetObjectTagging, PutObjectTagging, DeleteObjectTagging. */
public final class ObjectTags {
  private ObjectTags() {}

  /** GetObjectTagging. */
  public record Get(ObjectTarget target) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      ObjectMetadata object =
          Outcomes.await(
                  target.call(
                      TargetRequest.Head.ofWhole(
                          request.scope(), request.key(), request.version())))
              .metadata();
      return answered(200, request, object).xml(Tags.document(object.attributes().tags()));
    }
  }

  /** PutObjectTagging. */
  public record Put(ObjectTarget target) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      return answered(200, request, set(target, request, Tags.ofObject(document)));
    }
  }

  /** DeleteObjectTagging. */
  public record Delete(ObjectTarget target) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      return answered(204, request, set(target, request, Map.of()));
    }
  }

  private static Response answered(int status, S3Request request, ObjectMetadata object) {
    Response response = Response.of(status);
    ObjectHeaders.version(response, request.bucket(), object);
    return response;
  }

  private static ObjectMetadata set(
      ObjectTarget target, S3Request request, Map<String, String> tags) {
    return Outcomes.await(
        target.call(
            new TargetRequest.SetTags(request.scope(), request.key(), request.version(), tags)));
  }
}
