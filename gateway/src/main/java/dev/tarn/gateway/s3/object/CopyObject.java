package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.payload.PayloadDecoders;
import dev.tarn.gateway.policy.Action;
import dev.tarn.gateway.route.GatewayView;
import dev.tarn.gateway.s3.object.CopySources.Source;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.Timestamps;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** CopyObject. */
public record CopyObject(ObjectCopies copies, GatewayView view) implements Operation.Blocking {
  private static final String REPLACE = "REPLACE";
  private static final String COPY = "COPY";

  @Override
  public Response answer(S3Request request, byte[] document) {
    Source from = CopySources.parse(request, view);
    CopySource source = from.object();
    boolean replaceAttributes = isReplace(request, "x-amz-metadata-directive");
    boolean replaceTags = isReplace(request, "x-amz-tagging-directive");
    ObjectAttributes given = WriteParameters.attributes(request.head().headers(), request.bucket());
    Set<ChecksumAlgorithm> checksums = checksums(request.header("x-amz-checksum-algorithm"));
    boolean ontoItself =
        source.scope().bucket().equals(request.scope().bucket())
            && source.key().equals(request.key())
            && source.version().isEmpty();
    boolean changes =
        replaceAttributes
            || replaceTags
            || !checksums.isEmpty()
            || given.headers().containsKey(ObjectAttributes.STORAGE_CLASS)
            || given.headers().containsKey(ObjectAttributes.REDIRECT);
    if (ontoItself && !changes) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "This copy request is illegal because it is trying to copy an object to itself without"
              + " changing the object's metadata, storage class, website redirect location or"
              + " encryption attributes.");
    }
    Optional<ObjectAttributes> attributes =
        replaceAttributes ? Optional.of(given) : Optional.empty();
    Optional<Map<String, String>> tags = replaceTags ? Optional.of(given.tags()) : Optional.empty();
    boolean maySetTags = replaceTags || maySetTags(request);
    ObjectMetadata object =
        Outcomes.await(
            copies.copy(
                from,
                replaceTags || (maySetTags && from.mayReadTags()),
                found -> maySetTags && from.mayReadTags(found),
                new TargetRequest.Copy(
                    request.scope(),
                    request.key(),
                    source,
                    attributes,
                    tags,
                    given.ownHeaders(),
                    checksums,
                    WriteParameters.preconditions(request.head().headers()))));
    return answer(request, source, object);
  }

  private static boolean maySetTags(S3Request request) {
    return request
            .bucketAccess()
            .withoutObject()
            .judge(Action.PUT_OBJECT_TAGGING, request.key().text(), null)
        == Decision.ALLOWED;
  }

  private static Response answer(S3Request request, CopySource source, ObjectMetadata object) {
    XmlWriter xml =
        XmlWriter.document("CopyObjectResult", 512)
            .element("LastModified", Timestamps.iso(object.modifiedMs()))
            .etag(object.etag());
    Checksums.elements(xml, object.checksums());
    Response response = Response.of(200);
    ObjectHeaders.versionMade(response, request.bucket(), object);
    ObjectHeaders.expiry(response, request.bucket(), object);
    CopySources.version(response, source);
    return response.xml(xml.close("CopyObjectResult").bytes());
  }

  private static boolean isReplace(S3Request request, String directive) {
    String value = request.header(directive);
    if (value == null || value.equals(COPY)) {
      return false;
    }
    if (value.equals(REPLACE)) {
      return true;
    }
    throw Numbers.invalid(directive, value, "Unknown directive; it must be COPY or REPLACE.");
  }

  private static Set<ChecksumAlgorithm> checksums(@Nullable String name) {
    return name == null ? Set.of() : Set.of(PayloadDecoders.checksumAlgorithm(name));
  }
}
