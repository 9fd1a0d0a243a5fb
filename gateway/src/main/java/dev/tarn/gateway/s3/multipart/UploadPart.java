package dev.tarn.gateway.s3.multipart;

import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.gateway.http.HeaderNames;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.payload.PayloadDecoders;
import dev.tarn.gateway.route.GatewayView;
import dev.tarn.gateway.s3.object.Checksums;
import dev.tarn.gateway.s3.object.CopySources;
import dev.tarn.gateway.s3.object.CopySources.Source;
import dev.tarn.gateway.s3.object.ObjectCopies;
import dev.tarn.gateway.s3.object.ObjectHeaders;
import dev.tarn.gateway.s3.object.RangeHeader;
import dev.tarn.gateway.s3.object.WriteObject;
import dev.tarn.gateway.s3.object.WriteParameters;
import dev.tarn.gateway.s3.operation.DecodedBody;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.RequestBodies;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.S3Settings;
import dev.tarn.gateway.s3.operation.Timestamps;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.concurrent.CompletionStage;

/** UploadPart and UploadPartCopy. */
public final class UploadPart {
  private UploadPart() {}

  /** UploadPart. */
  public record Put(ObjectTarget target, S3Settings settings) implements Operation.Direct {
    @Override
    public CompletionStage<Response> answer(S3Request request) {
      WriteParameters.refuseWhatWouldBeLost(request.head().headers());
      UploadRequest.PutPart put =
          new UploadRequest.PutPart(
              request.scope(),
              request.key(),
              UploadOperations.id(request),
              Numbers.partNumber(request.query("partNumber", "")),
              PayloadDecoders.announcedChecksums(request.head().headers()));
      WriteObject.requireLength(request);
      DecodedBody body = RequestBodies.ofObject(request, settings);
      return target
          .call(put, body)
          .thenApply(outcome -> {
            ObjectPart part = Outcomes.value(outcome, body);
            Response response = Response.of(200);
            response.header(HeaderNames.ETAG, ObjectHeaders.quoted(part.etag()));
            part.checksums()
                .forEach(checksum ->
                    response.header(checksum.algorithm().headerName(), checksum.value()));
            return response;
          });
    }
  }

  /** UploadPartCopy. */
  public record Copy(ObjectCopies copies, GatewayView view) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      Source from = CopySources.parse(request, view);
      ObjectPart part =
          Outcomes.await(
              copies.copyPart(
                  from,
                  new UploadRequest.CopyPart(
                      request.scope(),
                      request.key(),
                      UploadOperations.id(request),
                      Numbers.partNumber(request.query("partNumber", "")),
                      from.object(),
                      range(request))));
      XmlWriter xml =
          XmlWriter.document("CopyPartResult", 512)
              .element("LastModified", Timestamps.iso(part.modifiedMs()))
              .etag(part.etag());
      Checksums.partElements(xml, part.checksums());
      Response response = Response.of(200);
      CopySources.version(response, from.object());
      return response.xml(xml.close("CopyPartResult").bytes());
    }

    private static Selection range(S3Request request) {
      String header = request.header("x-amz-copy-source-range");
      if (header == null) {
        return Selection.WHOLE;
      }
      if (RangeHeader.parse(header) instanceof Selection.Range range
          && range.last() != Long.MAX_VALUE) {
        return range;
      }
      throw Numbers.invalid(
          "x-amz-copy-source-range",
          header,
          "The x-amz-copy-source-range value must be of the form bytes=first-last where first and"
              + " last are the zero-based offsets of the first and last bytes to copy.");
    }
  }
}
