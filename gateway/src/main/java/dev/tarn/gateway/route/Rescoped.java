package dev.tarn.gateway.route;

import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Abort;
import dev.tarn.cluster.target.TargetRequest.Complete;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopyPart;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListParts;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.PutPart;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;

/** The same request under the map that the router goes by now. */
final class Rescoped {
  private Rescoped() {}

  /** The request itself where it already names this epoch. */
  @SuppressWarnings("unchecked") // every case gives the type that it was given
  static <R extends TargetRequest> R at(long epoch, R request) {
    CallScope scope = request.scope();
    if (scope.mapEpoch() == epoch) {
      return request;
    }
    CallScope at = at(epoch, scope);
    TargetRequest rescoped =
        switch ((TargetRequest) request) {
          case Get r -> new Get(at, r.key(), r.version(), r.selection(), r.preconditions());
          case Head r -> new Head(at, r.key(), r.version(), r.selection(), r.preconditions());
          case Put r -> new Put(at, r.key(), r.attributes(), r.checksums(), r.preconditions());
          case Delete r -> new Delete(at, r.key(), r.version(), r.preconditions());
          case Copy r ->
              new Copy(
                  at,
                  r.key(),
                  at(epoch, r.source()),
                  r.attributes(),
                  r.tags(),
                  r.acl(),
                  r.checksums(),
                  r.preconditions());
          case SetTags r -> new SetTags(at, r.key(), r.version(), r.tags());
          case SetAcl r -> new SetAcl(at, r.key(), r.version(), r.acl());
          case CreateUpload r ->
              new CreateUpload(at, r.key(), r.attributes(), r.checksum(), r.checksumType());
          case PutPart r -> new PutPart(at, r.key(), r.uploadId(), r.number(), r.checksums());
          case CopyPart r ->
              new CopyPart(
                  at, r.key(), r.uploadId(), r.number(), at(epoch, r.source()), r.selection());
          case Complete r ->
              new Complete(
                  at,
                  r.key(),
                  r.uploadId(),
                  r.parts(),
                  r.sizeBytes(),
                  r.checksum(),
                  r.preconditions());
          case Abort r -> new Abort(at, r.key(), r.uploadId());
          case ListParts r ->
              new ListParts(at, r.key(), r.uploadId(), r.afterNumber(), r.partsMax());
          case ListObjects r ->
              new ListObjects(at, r.prefix(), r.delimiter(), r.after(), r.entriesMax());
          case ListVersions r ->
              new ListVersions(
                  at, r.prefix(), r.delimiter(), r.afterKey(), r.afterVersion(), r.entriesMax());
          case ListUploads r ->
              new ListUploads(
                  at, r.prefix(), r.delimiter(), r.afterKey(), r.afterUploadId(), r.uploadsMax());
        };
    return (R) rescoped;
  }

  private static CallScope at(long epoch, CallScope scope) {
    return new CallScope(scope.bucket(), scope.settingsVersion(), epoch);
  }

  private static CopySource at(long epoch, CopySource source) {
    return new CopySource(
        at(epoch, source.scope()), source.key(), source.version(), source.preconditions());
  }
}
