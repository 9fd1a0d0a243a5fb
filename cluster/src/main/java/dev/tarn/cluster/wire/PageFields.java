package dev.tarn.cluster.wire;

import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;

/** The wire form of pages. */
final class PageFields {
  private static final int PREFIX = 0;
  private static final int ENTRY = 1;

  private PageFields() {}

  static void writeListPage(WireWriter out, ListPage page) {
    out.writeAll(page.entries(), PageFields::writeListEntry);
    out.writeBoolean(page.truncated());
  }

  static ListPage readListPage(WireReader in) throws WireException {
    return new ListPage(in.readAll(PageFields::readListEntry), in.readBoolean());
  }

  private static void writeListEntry(WireWriter out, ListPage.Entry entry) {
    if (entry instanceof ListPage.ObjectEntry object) {
      out.writeByte(ENTRY);
      ObjectFields.writeKey(out, object.key());
      out.writeLong(object.sizeBytes());
      out.writeText(object.etag());
      out.writeLong(object.modifiedMs());
      out.writeAll(object.checksums(), ObjectFields::writeAlgorithm);
    } else {
      out.writeByte(PREFIX);
      ObjectFields.writeKey(out, ((ListPage.CommonPrefix) entry).prefix());
    }
  }

  private static ListPage.Entry readListEntry(WireReader in) throws WireException {
    int tag = in.readByte();
    return switch (tag) {
      case PREFIX -> new ListPage.CommonPrefix(ObjectFields.readKey(in));
      case ENTRY ->
          new ListPage.ObjectEntry(
              ObjectFields.readKey(in),
              in.readLong(),
              in.readText(),
              in.readLong(),
              in.readAll(ObjectFields::readAlgorithm));
      default -> throw in.at("list entry has the tag " + tag + ", which is unknown here");
    };
  }

  static void writeVersionPage(WireWriter out, VersionPage page) {
    out.writeAll(page.entries(), PageFields::writeVersionEntry);
    out.writeBoolean(page.truncated());
  }

  static VersionPage readVersionPage(WireReader in) throws WireException {
    return new VersionPage(in.readAll(PageFields::readVersionEntry), in.readBoolean());
  }

  private static void writeVersionEntry(WireWriter out, VersionPage.Entry entry) {
    if (entry instanceof VersionPage.VersionEntry version) {
      out.writeByte(ENTRY);
      ObjectFields.writeKey(out, version.key());
      ObjectFields.writeVersion(out, version.version());
      out.writeBoolean(version.nullVersion());
      out.writeBoolean(version.latest());
      out.writeBoolean(version.deleteMarker());
      out.writeLong(version.sizeBytes());
      out.writeText(version.etag());
      out.writeLong(version.modifiedMs());
      out.writeAll(version.checksums(), ObjectFields::writeAlgorithm);
    } else {
      out.writeByte(PREFIX);
      ObjectFields.writeKey(out, entry.key());
    }
  }

  private static VersionPage.Entry readVersionEntry(WireReader in) throws WireException {
    int tag = in.readByte();
    return switch (tag) {
      case PREFIX -> new VersionPage.CommonPrefix(ObjectFields.readKey(in));
      case ENTRY ->
          new VersionPage.VersionEntry(
              ObjectFields.readKey(in),
              ObjectFields.readVersion(in),
              in.readBoolean(),
              in.readBoolean(),
              in.readBoolean(),
              in.readLong(),
              in.readText(),
              in.readLong(),
              in.readAll(ObjectFields::readAlgorithm));
      default -> throw in.at("version entry has the tag " + tag + ", which is unknown here");
    };
  }

  static void writePartPage(WireWriter out, PartPage page) {
    out.writeAll(page.parts(), ObjectFields::writePart);
    out.writeBoolean(page.truncated());
    out.writeOptional(page.checksum(), ObjectFields::writeAlgorithm);
    out.writeOptional(page.checksumType(), ObjectFields::writeChecksumType);
  }

  static PartPage readPartPage(WireReader in) throws WireException {
    return new PartPage(
        in.readAll(ObjectFields::readPart),
        in.readBoolean(),
        in.readOptional(ObjectFields::readAlgorithm),
        in.readOptional(ObjectFields::readChecksumType));
  }

  static void writeUploadPage(WireWriter out, UploadPage page) {
    out.writeAll(page.entries(), PageFields::writeUploadEntry);
    out.writeBoolean(page.truncated());
  }

  static UploadPage readUploadPage(WireReader in) throws WireException {
    return new UploadPage(in.readAll(PageFields::readUploadEntry), in.readBoolean());
  }

  private static void writeUploadEntry(WireWriter out, UploadPage.Entry entry) {
    if (entry instanceof UploadPage.UploadEntry upload) {
      out.writeByte(ENTRY);
      ObjectFields.writeKey(out, upload.key());
      out.writeText(upload.uploadId());
      out.writeLong(upload.initiatedMs());
      out.writeOptional(upload.checksum(), ObjectFields::writeAlgorithm);
      out.writeOptional(upload.checksumType(), ObjectFields::writeChecksumType);
    } else {
      out.writeByte(PREFIX);
      ObjectFields.writeKey(out, entry.key());
    }
  }

  private static UploadPage.Entry readUploadEntry(WireReader in) throws WireException {
    int tag = in.readByte();
    return switch (tag) {
      case PREFIX -> new UploadPage.CommonPrefix(ObjectFields.readKey(in));
      case ENTRY ->
          new UploadPage.UploadEntry(
              ObjectFields.readKey(in),
              in.readText(),
              in.readLong(),
              in.readOptional(ObjectFields::readAlgorithm),
              in.readOptional(ObjectFields::readChecksumType));
      default -> throw in.at("upload entry has the tag " + tag + ", which is unknown here");
    };
  }
}
