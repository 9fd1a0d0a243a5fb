package dev.tarn.cluster.wire;

import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.cluster.target.UploadRequest.PutPart;

/** The wire form of requests about multipart uploads. */
final class UploadRequestFields {
  private UploadRequestFields() {}

  static void writeCreateUpload(WireWriter out, CreateUpload request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    ObjectFields.writeAttributes(out, request.attributes());
    out.writeOptional(request.checksum(), ObjectFields::writeAlgorithm);
    out.writeOptional(request.checksumType(), ObjectFields::writeChecksumType);
  }

  static CreateUpload readCreateUpload(WireReader in) throws WireException {
    return new CreateUpload(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        ObjectFields.readAttributes(in),
        in.readOptional(ObjectFields::readAlgorithm),
        in.readOptional(ObjectFields::readChecksumType));
  }

  static void writePutPart(WireWriter out, PutPart request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    out.writeText(request.uploadId());
    out.writeInt(request.number());
    out.writeAll(request.checksums(), ObjectFields::writeAlgorithm);
  }

  static PutPart readPutPart(WireReader in) throws WireException {
    return new PutPart(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        in.readText(),
        in.readInt(),
        CallFields.readAlgorithms(in));
  }

  static void writeCopyPart(WireWriter out, CopyPart request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    out.writeText(request.uploadId());
    out.writeInt(request.number());
    CallFields.writeSource(out, request.source());
    CallFields.writeSelection(out, request.selection());
  }

  static CopyPart readCopyPart(WireReader in) throws WireException {
    return new CopyPart(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        in.readText(),
        in.readInt(),
        CallFields.readSource(in),
        CallFields.readSelection(in));
  }

  static void writeComplete(WireWriter out, Complete request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    out.writeText(request.uploadId());
    out.writeAll(request.parts(), CallFields::writeCompletedPart);
    out.writeOptionalLong(request.sizeBytes());
    out.writeOptional(request.checksum(), ObjectFields::writeChecksum);
    CallFields.writePreconditions(out, request.preconditions());
  }

  static Complete readComplete(WireReader in) throws WireException {
    return new Complete(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        in.readText(),
        in.readAll(CallFields::readCompletedPart),
        in.readOptionalLong(),
        in.readOptional(ObjectFields::readChecksum),
        CallFields.readPreconditions(in));
  }

  static void writeAbort(WireWriter out, Abort request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    out.writeText(request.uploadId());
  }

  static Abort readAbort(WireReader in) throws WireException {
    return new Abort(CallFields.readScope(in), ObjectFields.readKey(in), in.readText());
  }

  static void writeListParts(WireWriter out, ListParts request) {
    CallFields.writeScope(out, request.scope());
    ObjectFields.writeKey(out, request.key());
    out.writeText(request.uploadId());
    out.writeInt(request.afterNumber());
    out.writeInt(request.partsMax());
  }

  static ListParts readListParts(WireReader in) throws WireException {
    return new ListParts(
        CallFields.readScope(in),
        ObjectFields.readKey(in),
        in.readText(),
        in.readInt(),
        in.readInt());
  }

  static void writeListUploads(WireWriter out, ListUploads request) {
    CallFields.writeScope(out, request.scope());
    out.writeText(request.prefix());
    out.writeText(request.delimiter());
    out.writeText(request.afterKey());
    out.writeText(request.afterUploadId());
    out.writeInt(request.entriesMax());
  }

  static ListUploads readListUploads(WireReader in) throws WireException {
    return new ListUploads(
        CallFields.readScope(in),
        in.readText(),
        in.readText(),
        in.readText(),
        in.readText(),
        in.readInt());
  }
}
