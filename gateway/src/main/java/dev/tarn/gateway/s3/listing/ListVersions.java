package dev.tarn.gateway.s3.listing;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.cluster.target.VersionPage.CommonPrefix;
import dev.tarn.cluster.target.VersionPage.VersionEntry;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.object.Checksums;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.Owner;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.Timestamps;
import dev.tarn.gateway.xml.XmlWriter;

/** ListObjectVersions: versions and delete markers; for each key the newest first. */
public record ListVersions(ObjectTarget target, ControlPlane control)
    implements Operation.Blocking {
  private static final String ROOT = "ListVersionsResult";
  private static final int ENTRY_LENGTH = 400;

  @Override
  public Response answer(S3Request request, byte[] document) {
    ListingText text = ListingText.of(request);
    Marker marker = Marker.of(request);
    String prefix = request.query("prefix", "");
    String delimiter = request.query("delimiter", "");
    int max = Numbers.pageSize("max-keys", request.query("max-keys"));
    VersionPage page =
        Outcomes.await(
            target.call(
                new ListRequest.ListVersions(
                    request.listingScope(), prefix, delimiter, marker.key, marker.version, max)));
    XmlWriter xml =
        XmlWriter.document(ROOT, 512 + ENTRY_LENGTH * page.entries().size())
            .element("Name", request.bucket().name())
            .element("Prefix", text.of(prefix))
            .element("KeyMarker", text.of(marker.key))
            .element("VersionIdMarker", marker.version);
    if (page.truncated() && !page.entries().isEmpty()) {
      next(xml, page.entries().getLast(), text);
    }
    xml.element("MaxKeys", max);
    text.writeForm(xml, delimiter);
    xml.element("IsTruncated", page.truncated() && max > 0);
    entries(xml, page, text, Owner.of(request.bucket(), control));
    return Listings.response(xml.close(ROOT), page.partial());
  }

  /**
   * The start of a page.
   *
   * @param version the page begins after this version; empty: after all versions of the key
   */
  private record Marker(String key, String version) {
    static Marker of(S3Request request) {
      String key = request.query("key-marker", "");
      String version = request.query("version-id-marker", "");
      if (version.isEmpty()) {
        return new Marker(key, "");
      }
      if (key.isEmpty()) {
        throw Numbers.invalid(
            "version-id-marker",
            version,
            "A version-id marker cannot be specified without a key marker.");
      }
      if (!S3Request.canBeVersion(request.bucket(), version)) {
        throw Numbers.invalid("version-id-marker", version, "Invalid version id specified");
      }
      return new Marker(key, version);
    }
  }

  /**
   * Writes the start of the next page. The marker of a null version is the version's own id, which
   * has a place in the order.
   */
  private static void next(XmlWriter xml, VersionPage.Entry last, ListingText text) {
    xml.element("NextKeyMarker", text.of(last.key().text()));
    if (last instanceof VersionEntry version) {
      xml.element("NextVersionIdMarker", version.version().text());
    }
  }

  private static void entries(XmlWriter xml, VersionPage page, ListingText text, Owner owner) {
    for (VersionPage.Entry entry : page.entries()) {
      if (entry instanceof VersionEntry version) {
        version(xml, version, text, owner);
      }
    }
    for (VersionPage.Entry entry : page.entries()) {
      if (entry instanceof CommonPrefix group) {
        text.writeCommonPrefix(xml, group.key().text());
      }
    }
  }

  private static void version(XmlWriter xml, VersionEntry version, ListingText text, Owner owner) {
    String element = version.deleteMarker() ? "DeleteMarker" : "Version";
    xml.open(element)
        .element("Key", text.of(version.key().text()))
        .element("VersionId", version.versionText())
        .element("IsLatest", version.latest())
        .element("LastModified", Timestamps.iso(version.modifiedMs()));
    if (!version.deleteMarker()) {
      xml.etag(version.etag());
      Checksums.listed(xml, version.checksums(), version.checksumType());
      xml.element("Size", version.sizeBytes());
    }
    owner.write(xml, "Owner");
    if (!version.deleteMarker()) {
      xml.element("StorageClass", version.storageClass());
    }
    xml.close(element);
  }
}
