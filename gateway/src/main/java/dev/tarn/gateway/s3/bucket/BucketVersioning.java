package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.List;

/** GetBucketVersioning and PutBucketVersioning. */
public final class BucketVersioning {
  private static final String ROOT = "VersioningConfiguration";
  private static final String ENABLED = "Enabled";
  private static final String SUSPENDED = "Suspended";

  /** MinIO's own elements. If they were ignored, keys would have versions that should have none. */
  private static final List<String> EXCLUSIONS = List.of("ExcludeFolders", "ExcludedPrefixes");

  private BucketVersioning() {}

  /** GetBucketVersioning: empty for a bucket that never had versioning. */
  public record Get() implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      XmlWriter xml = XmlWriter.document(ROOT, 256);
      switch (request.bucket().configuration().versioning()) {
        case OFF -> {}
        case ENABLED -> xml.element("Status", ENABLED);
        case SUSPENDED -> xml.element("Status", SUSPENDED);
      }
      return Response.of(200).xml(xml.close(ROOT).bytes());
    }
  }

  /** PutBucketVersioning. */
  public record Put(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      XmlElement configuration = Documents.parse(document, ROOT);
      if (configuration.childText("MfaDelete").filter(ENABLED::equals).isPresent()) {
        throw S3Exception.of(S3ErrorCode.NOT_IMPLEMENTED, "MFA delete is not implemented.");
      }
      for (String exclusion : EXCLUSIONS) {
        if (configuration.childText(exclusion).filter(text -> !text.equals("false")).isPresent()) {
          throw S3Exception.of(
              S3ErrorCode.NOT_IMPLEMENTED,
              exclusion + " is not implemented: versioning is for all keys of a bucket.");
        }
      }
      if (request.bucket().settings().backend().isPresent()) {
        throw S3Exception.of(
            S3ErrorCode.NOT_IMPLEMENTED,
            "The bucket caches another S3, which keeps the versions: set versioning there.");
      }
      String status = configuration.childText("Status").orElse("");
      BucketOperations.change(
          control, request.bucket(), new BucketChange.SetVersioning(versioning(status)));
      return Response.of(200);
    }

    private static Versioning versioning(String status) {
      return switch (status) {
        case ENABLED -> Versioning.ENABLED;
        case SUSPENDED -> Versioning.SUSPENDED;
        default ->
            throw Documents.malformed(
                "Status is '" + status + "', must be " + ENABLED + " or " + SUSPENDED + ".");
      };
    }
  }
}
