package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.HeaderNames;
import dev.tarn.gateway.http.HttpDates;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** GetObjectAttributes: the properties of an object as a document, with its parts in pages. */
public record ObjectSummary(PermittedReads reads) implements Operation.Blocking {
  private static final Set<String> ATTRIBUTES =
      Set.of("ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize");

  @Override
  public boolean judgesObject() {
    return true;
  }

  @Override
  public Response answer(S3Request request, byte[] document) {
    Set<String> wanted = wanted(request);
    ObjectMetadata object =
        Outcomes.await(
                reads.head(
                    request,
                    new TargetRequest.Head(
                        request.scope(),
                        request.key(),
                        request.version(),
                        Selection.WHOLE,
                        ReadParameters.preconditions(
                            request.head().headers(), ReadParameters.Conditions.OF_READ))))
            .metadata();
    XmlWriter xml = XmlWriter.document("GetObjectAttributesResponse", 1024);
    if (wanted.contains("ETag")) {
      xml.element("ETag", object.etag());
    }
    if (wanted.contains("Checksum") && !object.checksums().isEmpty()) {
      xml.open("Checksum");
      Checksums.attributeElements(xml, object.checksums());
      xml.close("Checksum");
    }
    if (wanted.contains("ObjectParts") && !object.parts().isEmpty()) {
      parts(xml, request, object);
    }
    if (wanted.contains("StorageClass")) {
      xml.element(
          "StorageClass",
          object.attributes().headers().getOrDefault("x-amz-storage-class", "STANDARD"));
    }
    if (wanted.contains("ObjectSize")) {
      xml.element("ObjectSize", object.sizeBytes());
    }
    Response response = Response.of(200);
    response.header(HeaderNames.LAST_MODIFIED, HttpDates.format(object.modifiedMs()));
    ObjectHeaders.version(response, request.bucket(), object);
    return response.xml(xml.close("GetObjectAttributesResponse").bytes());
  }

  private static Set<String> wanted(S3Request request) {
    Set<String> wanted =
        request.head().headers().all("x-amz-object-attributes").stream()
            .flatMap(value -> Arrays.stream(value.split(",", -1)))
            .map(String::strip)
            .collect(Collectors.toSet());
    if (wanted.isEmpty() || !ATTRIBUTES.containsAll(wanted)) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_ARGUMENT,
          "x-amz-object-attributes must name one or more of " + ATTRIBUTES + ".");
    }
    return wanted;
  }

  /**
   * Lists the parts if the object's checksum is composed of theirs. Otherwise shows only their
   * number.
   */
  private static void parts(XmlWriter xml, S3Request request, ObjectMetadata object) {
    xml.open("ObjectParts").element("PartsCount", object.parts().size());
    if (object.checksums().stream()
        .anyMatch(checksum -> checksum.type() == ChecksumType.COMPOSITE)) {
      page(xml, request, object.parts());
    }
    xml.close("ObjectParts");
  }

  private static void page(XmlWriter xml, S3Request request, List<ObjectPart> parts) {
    int after =
        Optional.ofNullable(request.header("x-amz-part-number-marker"))
            .map(value -> (int) Numbers.atLeastZero("x-amz-part-number-marker", value))
            .orElse(0);
    int max = Numbers.pageSize("x-amz-max-parts", request.header("x-amz-max-parts"));
    List<ObjectPart> rest = parts.stream().filter(part -> part.number() > after).toList();
    List<ObjectPart> page = rest.subList(0, Math.min(max, rest.size()));
    xml.element("PartNumberMarker", after)
        .element("NextPartNumberMarker", page.isEmpty() ? after : page.getLast().number())
        .element("MaxParts", max)
        .element("IsTruncated", page.size() < rest.size());
    for (ObjectPart part : page) {
      xml.open("Part").element("PartNumber", part.number()).element("Size", part.sizeBytes());
      Checksums.partElements(xml, part.checksums());
      xml.close("Part");
    }
  }
}
