package dev.tarn.gateway.s3.listing;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListPage.CommonPrefix;
import dev.tarn.cluster.target.ListPage.Entry;
import dev.tarn.cluster.target.ListPage.ObjectEntry;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.object.Checksums;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.Owner;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.Timestamps;
import dev.tarn.gateway.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** ListObjects and ListObjectsV2: the same page of a target in two formats. */
public final class ListObjects {
  private static final int ENTRY_LENGTH = 280;

  private ListObjects() {}

  /** ListObjects. */
  public record V1(ObjectTarget target, ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      ListingText text = ListingText.of(request);
      String prefix = request.query("prefix", "");
      String delimiter = request.query("delimiter", "");
      String marker = request.query("marker", "");
      int maxKeys = Numbers.pageSize("max-keys", request.query("max-keys"));
      ListPage page = page(target, request, prefix, delimiter, marker, maxKeys);
      XmlWriter xml = begin(request, page, text, prefix);
      xml.element("Marker", text.of(marker));
      if (page.truncated() && !delimiter.isEmpty() && !page.entries().isEmpty()) {
        xml.element("NextMarker", text.of(text(page.entries().getLast())));
      }
      return end(xml, page, text, delimiter, maxKeys, Owner.of(request.bucket(), control));
    }
  }

  /** ListObjectsV2. */
  public record V2(ObjectTarget target, ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      String listType = request.query("list-type", "");
      if (!listType.equals("2")) {
        throw Numbers.invalid("list-type", listType, "Invalid List Type: it must be 2.");
      }
      ListingText text = ListingText.of(request);
      String prefix = request.query("prefix", "");
      String delimiter = request.query("delimiter", "");
      String startAfter = request.query("start-after", "");
      String token = request.query("continuation-token");
      String after = token == null ? startAfter : ContinuationToken.decode(token);
      int maxKeys = Numbers.pageSize("max-keys", request.query("max-keys"));
      ListPage page = page(target, request, prefix, delimiter, after, maxKeys);
      XmlWriter xml = begin(request, page, text, prefix);
      if (token == null && !startAfter.isEmpty()) {
        xml.element("StartAfter", text.of(startAfter));
      }
      xml.optional("ContinuationToken", token);
      if (page.truncated() && !page.entries().isEmpty()) {
        xml.element(
            "NextContinuationToken", ContinuationToken.encode(text(page.entries().getLast())));
      }
      xml.element("KeyCount", page.entries().size());
      boolean withOwner = "true".equalsIgnoreCase(request.query("fetch-owner"));
      return end(
          xml,
          page,
          text,
          delimiter,
          maxKeys,
          withOwner ? Owner.of(request.bucket(), control) : null);
    }
  }

  private static ListPage page(
      ObjectTarget target,
      S3Request request,
      String prefix,
      String delimiter,
      String after,
      int max) {
    return Outcomes.await(
        target.call(
            new ListRequest.ListObjects(request.listingScope(), prefix, delimiter, after, max)));
  }

  private static XmlWriter begin(
      S3Request request, ListPage page, ListingText text, String prefix) {
    return XmlWriter.document("ListBucketResult", 512 + ENTRY_LENGTH * page.entries().size())
        .element("Name", request.bucket().name())
        .element("Prefix", text.of(prefix));
  }

  private static Response end(
      XmlWriter xml,
      ListPage page,
      ListingText text,
      String delimiter,
      int maxKeys,
      @Nullable Owner owner) {
    xml.element("MaxKeys", maxKeys);
    text.writeForm(xml, delimiter);
    xml.element("IsTruncated", page.truncated() && maxKeys > 0);
    for (Entry entry : page.entries()) {
      if (entry instanceof ObjectEntry object) {
        object(xml, object, text, owner);
      }
    }
    for (Entry entry : page.entries()) {
      if (entry instanceof CommonPrefix group) {
        text.writeCommonPrefix(xml, group.prefix().text());
      }
    }
    return Listings.response(xml.close("ListBucketResult"), page.partial());
  }

  private static void object(
      XmlWriter xml, ObjectEntry object, ListingText text, @Nullable Owner owner) {
    xml.open("Contents")
        .element("Key", text.of(object.key().text()))
        .element("LastModified", Timestamps.iso(object.modifiedMs()))
        .etag(object.etag());
    Checksums.listed(xml, object.checksums(), object.checksumType());
    xml.element("Size", object.sizeBytes());
    if (owner != null) {
      owner.write(xml, "Owner");
    }
    xml.element("StorageClass", object.storageClass()).close("Contents");
  }

  private static String text(Entry entry) {
    return switch (entry) {
      case ObjectEntry object -> object.key().text();
      case CommonPrefix group -> group.prefix().text();
    };
  }
}
