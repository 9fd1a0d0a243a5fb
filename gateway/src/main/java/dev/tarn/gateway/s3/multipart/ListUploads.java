package dev.tarn.gateway.s3.multipart;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.UploadDetails;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadPage.CommonPrefix;
import dev.tarn.cluster.target.UploadPage.UploadEntry;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.listing.ListingText;
import dev.tarn.gateway.s3.listing.Listings;
import dev.tarn.gateway.s3.object.Checksums;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.Owner;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.Timestamps;
import dev.tarn.gateway.xml.XmlWriter;

/** ListMultipartUploads and ListParts. */
public final class ListUploads {
  private static final int ENTRY_LENGTH = 320;

  private ListUploads() {}

  /** ListMultipartUploads. */
  public record Of(ObjectTarget target, ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      ListingText text = ListingText.of(request);
      String prefix = request.query("prefix", "");
      String delimiter = request.query("delimiter", "");
      String keyMarker = request.query("key-marker", "");
      String idMarker = keyMarker.isEmpty() ? "" : request.query("upload-id-marker", "");
      int max = Numbers.pageSize("max-uploads", request.query("max-uploads"));
      UploadPage page =
          Outcomes.await(
              target.call(
                  new ListRequest.ListUploads(
                      request.listingScope(), prefix, delimiter, keyMarker, idMarker, max)));
      XmlWriter xml =
          XmlWriter.document(
                  "ListMultipartUploadsResult", 512 + ENTRY_LENGTH * page.entries().size())
              .element("Bucket", request.bucket().name())
              .element("KeyMarker", text.of(keyMarker))
              .element("UploadIdMarker", idMarker);
      if (page.truncated() && !page.entries().isEmpty()) {
        UploadPage.Entry last = page.entries().getLast();
        xml.element("NextKeyMarker", text.of(last.key().text()))
            .element(
                "NextUploadIdMarker", last instanceof UploadEntry upload ? upload.uploadId() : "");
      }
      xml.element("Prefix", text.of(prefix));
      text.writeForm(xml, delimiter);
      xml.element("MaxUploads", max).element("IsTruncated", page.truncated() && max > 0);
      entries(xml, page, text, Owner.of(request.bucket(), control));
      return Listings.response(xml.close("ListMultipartUploadsResult"), page.partial());
    }

    private void entries(XmlWriter xml, UploadPage page, ListingText text, Owner owner) {
      for (UploadPage.Entry entry : page.entries()) {
        if (entry instanceof UploadEntry upload) {
          xml.open("Upload")
              .element("Key", text.of(upload.key().text()))
              .element("UploadId", upload.uploadId());
          people(xml, upload.details(), owner, control);
          xml.element("Initiated", Timestamps.iso(upload.initiatedMs()));
          Checksums.listed(
              xml, upload.details().checksum().stream().toList(), upload.details().checksumType());
          xml.close("Upload");
        }
      }
      for (UploadPage.Entry entry : page.entries()) {
        if (entry instanceof CommonPrefix group) {
          text.writeCommonPrefix(xml, group.key().text());
        }
      }
    }
  }

  /** Who began an upload, whose it is, and its storage class. */
  private static void people(
      XmlWriter xml, UploadDetails details, Owner owner, ControlPlane control) {
    details
        .initiator()
        .map(initiator -> Owner.of(initiator, control))
        .orElse(owner)
        .write(xml, "Initiator");
    owner.write(xml, "Owner");
    xml.element("StorageClass", details.storageClass());
  }

  /** ListParts. */
  public record Parts(ObjectTarget target, ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      String uploadId = UploadOperations.id(request);
      String marker = request.query("part-number-marker", "");
      int after = marker.isEmpty() ? 0 : (int) Numbers.atLeastZero("part-number-marker", marker);
      int max = Numbers.pageSize("max-parts", request.query("max-parts"));
      PartPage page = UploadOperations.parts(target, request, after, max);
      XmlWriter xml =
          XmlWriter.document("ListPartsResult", 1024 + ENTRY_LENGTH * page.parts().size())
              .element("Bucket", request.bucket().name())
              .element("Key", ListingText.of(request).of(request.key().text()))
              .element("UploadId", uploadId);
      people(xml, page.details(), Owner.of(request.bucket(), control), control);
      xml.element("PartNumberMarker", after);
      if (!page.parts().isEmpty()) {
        xml.element("NextPartNumberMarker", page.parts().getLast().number());
      }
      xml.element("MaxParts", max).element("IsTruncated", page.truncated() && max > 0);
      Checksums.listed(
          xml, page.details().checksum().stream().toList(), page.details().checksumType());
      for (ObjectPart part : page.parts()) {
        xml.open("Part")
            .element("PartNumber", part.number())
            .element("LastModified", Timestamps.iso(part.modifiedMs()))
            .etag(part.etag())
            .element("Size", part.sizeBytes());
        Checksums.partElements(xml, part.checksums());
        xml.close("Part");
      }
      return Response.of(200).xml(xml.close("ListPartsResult").bytes());
    }
  }
}
