package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.object.ObjectMetadata;
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
  public record Get(PermittedReads reads) implements Operation.Blocking {
    @Override
    public boolean judgesObject() {
      return true;
    }

    @Override
    public Response answer(S3Request request, byte[] document) {
      TargetRequest.Head tagged =
          TargetRequest.Head.ofTags(request.scope(), request.key(), request.version());
      ObjectMetadata object = Outcomes.await(reads.head(request, tagged)).metadata();
      return answered(200, request, object).xml(Tags.document(object.attributes().tags()));
    }
  }

  /** PutObjectTagging. */
  public record Put(PermittedReads reads) implements Operation.Blocking {
    @Override
    public boolean judgesObject() {
      return true;
    }

    @Override
    public Response answer(S3Request request, byte[] document) {
      return answered(200, request, set(reads, request, Tags.ofObject(document)));
    }
  }

  /** DeleteObjectTagging. */
  public record Delete(PermittedReads reads) implements Operation.Blocking {
    @Override
    public boolean judgesObject() {
      return true;
    }

    @Override
    public Response answer(S3Request request, byte[] document) {
      return answered(204, request, set(reads, request, Map.of()));
    }
  }

  private static Response answered(int status, S3Request request, ObjectMetadata object) {
    Response response = Response.of(status);
    ObjectHeaders.version(response, request.bucket(), object);
    return response;
  }

  private static ObjectMetadata set(
      PermittedReads reads, S3Request request, Map<String, String> tags) {
    return reads.change(
        request,
        version -> new TargetRequest.SetTags(request.scope(), request.key(), version, tags));
  }
}
