package dev.tarn.cluster.wire;

import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;

/** The wire form of requests about objects. */
final class ObjectRequestFields {
  private ObjectRequestFields() {}

  static void writeGet(WireWriter out, Get request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    out.writeOptional(request.version(), WireWriter::writeText);
    CallFields.writeSelection(out, request.selection());
    CallFields.writePreconditions(out, request.preconditions());
  }

  static Get readGet(WireReader in) throws WireException {
    return new Get(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        in.readOptional(WireReader::readText),
        CallFields.readSelection(in),
        CallFields.readPreconditions(in));
  }

  static void writeHead(WireWriter out, Head request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    out.writeOptional(request.version(), WireWriter::writeText);
    CallFields.writeSelection(out, request.selection());
    CallFields.writePreconditions(out, request.preconditions());
  }

  static Head readHead(WireReader in) throws WireException {
    return new Head(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        in.readOptional(WireReader::readText),
        CallFields.readSelection(in),
        CallFields.readPreconditions(in));
  }

  static void writePut(WireWriter out, Put request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    ObjectFields.writeAttributes(out, request.attributes());
    out.writeAll(request.checksums(), ObjectFields::writeAlgorithm);
    CallFields.writePreconditions(out, request.preconditions());
  }

  static Put readPut(WireReader in) throws WireException {
    return new Put(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        ObjectFields.readAttributes(in),
        CallFields.readAlgorithms(in),
        CallFields.readPreconditions(in));
  }

  static void writeDelete(WireWriter out, Delete request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    out.writeOptional(request.version(), WireWriter::writeText);
    CallFields.writePreconditions(out, request.preconditions());
  }

  static Delete readDelete(WireReader in) throws WireException {
    return new Delete(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        in.readOptional(WireReader::readText),
        CallFields.readPreconditions(in));
  }

  static void writeCopy(WireWriter out, Copy request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    CallFields.writeSource(out, request.source());
    out.writeOptional(request.attributes(), ObjectFields::writeAttributes);
    out.writeOptional(request.tags(), WireWriter::writeTexts);
    out.writeText(request.acl().text());
    out.writeAll(request.checksums(), ObjectFields::writeAlgorithm);
    CallFields.writePreconditions(out, request.preconditions());
  }

  static Copy readCopy(WireReader in) throws WireException {
    return new Copy(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        CallFields.readSource(in),
        in.readOptional(ObjectFields::readAttributes),
        in.readOptional(WireReader::readTexts),
        readAcl(in),
        CallFields.readAlgorithms(in),
        CallFields.readPreconditions(in));
  }

  static void writeSetTags(WireWriter out, SetTags request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    out.writeOptional(request.version(), WireWriter::writeText);
    out.writeTexts(request.tags());
  }

  static SetTags readSetTags(WireReader in) throws WireException {
    return new SetTags(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        in.readOptional(WireReader::readText),
        in.readTexts());
  }

  static void writeSetAcl(WireWriter out, SetAcl request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    out.writeOptional(request.version(), WireWriter::writeText);
    out.writeText(request.acl().text());
  }

  static SetAcl readSetAcl(WireReader in) throws WireException {
    return new SetAcl(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        in.readOptional(WireReader::readText),
        readAcl(in));
  }

  private static CannedAcl readAcl(WireReader in) throws WireException {
    String text = in.readText();
    for (CannedAcl acl : CannedAcl.values()) {
      if (acl.text().equals(text)) {
        return acl;
      }
    }
    throw in.at("ACL is '" + text + "', unknown here");
  }

  static void writeListObjects(WireWriter out, ListObjects request) {
    CallFields.writeScope(out, request.scope());
    out.writeText(request.prefix());
    out.writeText(request.delimiter());
    out.writeText(request.after());
    out.writeInt(request.entriesMax());
  }

  static ListObjects readListObjects(WireReader in) throws WireException {
    return new ListObjects(
        CallFields.readScope(in), in.readText(), in.readText(), in.readText(), in.readInt());
  }

  static void writeListVersions(WireWriter out, ListVersions request) {
    CallFields.writeScope(out, request.scope());
    out.writeText(request.prefix());
    out.writeText(request.delimiter());
    out.writeText(request.afterKey());
    out.writeText(request.afterVersion());
    out.writeInt(request.entriesMax());
  }

  static ListVersions readListVersions(WireReader in) throws WireException {
    return new ListVersions(
        CallFields.readScope(in),
        in.readText(),
        in.readText(),
        in.readText(),
        in.readText(),
        in.readInt());
  }
}
