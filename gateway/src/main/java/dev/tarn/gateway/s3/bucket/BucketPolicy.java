package dev.tarn.gateway.s3.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.User;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.policy.Policy;
import dev.tarn.gateway.policy.PolicyDocument;
import dev.tarn.gateway.route.GatewayView;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** GetBucketPolicy, PutBucketPolicy, DeleteBucketPolicy, GetBucketPolicyStatus. */
public final class BucketPolicy {
  private BucketPolicy() {}

  /** GetBucketPolicy: returns the document as it was set. */
  public record Get() implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      return Response.of(200).json(document(request).getBytes(UTF_8));
    }
  }

  /** PutBucketPolicy. */
  public record Put(GatewayView view) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      Policy policy = PolicyDocument.read(document, request.bucket().name());
      if (policy.isPublic() && request.bucket().configuration().access().blocksPublicPolicy()) {
        throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
      }
      if (policy.namesExistingTags() && request.bucket().settings().backend().isPresent()) {
        throw S3Exception.of(
            S3ErrorCode.NOT_IMPLEMENTED,
            "s3:ExistingObjectTag is not implemented in buckets with a backend.");
      }
      for (String user : policy.users()) {
        if (view.find(state -> find(state, user)).isEmpty()) {
          throw S3Exception.of(
              S3ErrorCode.MALFORMED_POLICY,
              "Invalid principal in policy: there is no user with the id or name " + user + ".");
        }
      }
      BucketOperations.change(
          view.control(),
          request.bucket(),
          new BucketChange.SetPolicy(Optional.of(new String(document, UTF_8))));
      return Response.of(204);
    }

    private static @Nullable User find(ControlState state, String idOrName) {
      User user = state.user(idOrName);
      if (user != null) {
        return user;
      }
      return state.users().stream()
          .filter(named -> named.name().equals(idOrName))
          .findFirst()
          .orElse(null);
    }
  }

  /** DeleteBucketPolicy. */
  public record Delete(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      BucketOperations.change(
          control, request.bucket(), new BucketChange.SetPolicy(Optional.empty()));
      return Response.of(204);
    }
  }

  /** GetBucketPolicyStatus. */
  public record Status() implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      Policy policy =
          PolicyDocument.read(document(request).getBytes(UTF_8), request.bucket().name());
      return Response.of(200)
          .xml(
              XmlWriter.document("PolicyStatus", 256)
                  .element("IsPublic", policy.isPublic())
                  .close("PolicyStatus")
                  .bytes());
    }
  }

  private static String document(S3Request request) {
    return request
        .bucket()
        .configuration()
        .policy()
        .orElseThrow(() ->
            S3Exception.of(S3ErrorCode.NO_SUCH_BUCKET_POLICY)
                .with("BucketName", request.bucket().name()));
  }
}
