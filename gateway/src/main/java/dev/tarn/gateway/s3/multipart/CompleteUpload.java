package dev.tarn.gateway.s3.multipart;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.s3.object.Checksums;
import dev.tarn.gateway.s3.object.ObjectHeaders;
import dev.tarn.gateway.s3.object.ObjectUrls;
import dev.tarn.gateway.s3.object.ReadParameters;
import dev.tarn.gateway.s3.object.WriteParameters;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * CompleteMultipartUpload. If the call takes long, the answer begins early, with status 200 and
 * white space that keeps the connection alive. An error is then reported in the body.
 */
public record CompleteUpload(ObjectTarget target, ObjectUrls urls) implements Operation.Blocking {
  private static final long KEEP_ALIVE_MS = 5000;

  @Override
  public Response answer(S3Request request, byte[] document) {
    Headers headers = request.head().headers();
    headers
        .find("x-amz-checksum-type")
        .map(Checksums::type)
        .ifPresent(type -> requireType(request, type));
    UploadRequest.Complete complete =
        new UploadRequest.Complete(
            request.scope(),
            request.key(),
            UploadOperations.id(request),
            parts(document),
            objectSize(headers),
            checksum(headers),
            WriteParameters.preconditions(headers));
    ObjectMetadata object =
        Outcomes.value(await(request, target.call(complete).toCompletableFuture()));
    return answer(request, object);
  }

  /**
   * Refuses a checksum type that differs from the type of the upload. The check is skipped if the
   * upload's type is unknown: the upload is already complete, or its backend does not report the
   * type.
   */
  private void requireType(S3Request request, ChecksumType type) {
    UploadRequest.ListParts first =
        new UploadRequest.ListParts(
            request.scope(), request.key(), UploadOperations.id(request), 0, 1);
    if (await(request, target.call(first).toCompletableFuture())
            instanceof Outcome.Success<PartPage>(PartPage page)
        && !page.details().checksumType().orElse(type).equals(type)) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "The upload was created using the "
              + page.details().checksumType().orElseThrow()
              + " checksum mode. The complete request must use the same checksum mode.");
    }
  }

  private static <T> Outcome<T> await(S3Request request, CompletableFuture<Outcome<T>> outcome) {
    while (true) {
      try {
        return outcome.get(KEEP_ALIVE_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        request.exchange().keepAlive();
      } catch (ExecutionException e) {
        return outcome.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw S3Exception.of(S3ErrorCode.SERVICE_UNAVAILABLE);
      }
    }
  }

  private static List<CompletedPart> parts(byte[] document) {
    List<XmlElement> elements =
        Documents.parse(document, "CompleteMultipartUpload").children("Part");
    if (elements.isEmpty() || elements.size() > ObjectPart.NUMBER_MAX) {
      throw Documents.malformed(
          "CompleteMultipartUpload names "
              + elements.size()
              + " parts, must name 1 to "
              + ObjectPart.NUMBER_MAX
              + ".");
    }
    List<CompletedPart> parts = new ArrayList<>(elements.size());
    for (XmlElement element : elements) {
      int number =
          element
              .childText("PartNumber")
              .map(Numbers::partNumber)
              .orElseThrow(() -> Documents.malformed("A Part has no PartNumber."));
      String etag =
          element
              .childText("ETag")
              .map(ReadParameters::unquoted)
              .orElseThrow(() -> Documents.malformed("A Part has no ETag."));
      parts.add(new CompletedPart(number, etag, Checksums.of(element)));
    }
    return parts;
  }

  private static OptionalLong objectSize(Headers headers) {
    String size = headers.first("x-amz-mp-object-size");
    return size == null
        ? OptionalLong.empty()
        : OptionalLong.of(Numbers.sizeBytes("x-amz-mp-object-size", size));
  }

  private static Optional<ObjectChecksum> checksum(Headers headers) {
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      String value = headers.first(algorithm.headerName());
      if (value != null) {
        ChecksumType type =
            value.indexOf('-') >= 0 ? ChecksumType.COMPOSITE : ChecksumType.FULL_OBJECT;
        return Optional.of(new ObjectChecksum(algorithm, type, value.strip()));
      }
    }
    return Optional.empty();
  }

  private Response answer(S3Request request, ObjectMetadata object) {
    XmlWriter xml =
        XmlWriter.document("CompleteMultipartUploadResult", 1024)
            .element("Location", urls.of(request, request.key()))
            .element("Bucket", request.bucket().name())
            .element("Key", request.key().text())
            .etag(object.etag());
    Checksums.elements(xml, object.checksums());
    Response response = Response.of(200);
    ObjectHeaders.versionMade(response, request.bucket(), object);
    ObjectHeaders.expiry(response, request.bucket(), object);
    return response.xml(xml.close("CompleteMultipartUploadResult").bytes());
  }
}
