package dev.tarn.targetnode.api;

import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Abort;
import dev.tarn.cluster.target.TargetRequest.Complete;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopyPart;
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
import dev.tarn.cluster.wire.OutcomeCodec;

/** Which operation a request is for, and in what form its outcome goes back. */
final class CallDispatch {
  private CallDispatch() {}

  static void dispatch(
      ObjectTarget target, TargetRequest request, IncomingBody body, Answer answer) {
    switch (request) {
      case Get get -> answer.read(target.get(get));
      case Head head -> answer.give(OutcomeCodec.HEAD, target.head(head));
      case Put put -> answer.give(OutcomeCodec.METADATA, target.put(put, body));
      case Delete delete -> answer.give(OutcomeCodec.DELETED, target.delete(delete));
      case Copy copy -> answer.give(OutcomeCodec.METADATA, target.copy(copy));
      case SetTags tags -> answer.give(OutcomeCodec.METADATA, target.setTags(tags));
      case SetAcl acl -> answer.give(OutcomeCodec.METADATA, target.setAcl(acl));
      case ListObjects list -> answer.give(OutcomeCodec.LIST_PAGE, target.listObjects(list));
      case ListVersions list -> answer.give(OutcomeCodec.VERSION_PAGE, target.listVersions(list));
      case CreateUpload create -> answer.give(OutcomeCodec.UPLOAD_ID, target.createUpload(create));
      case PutPart part -> answer.give(OutcomeCodec.PART, target.putPart(part, body));
      case CopyPart part -> answer.give(OutcomeCodec.PART, target.copyPart(part));
      case Complete complete -> answer.give(OutcomeCodec.METADATA, target.complete(complete));
      case Abort abort -> answer.give(OutcomeCodec.ABORTED, target.abort(abort));
      case ListParts list -> answer.give(OutcomeCodec.PART_PAGE, target.listParts(list));
      case ListUploads list -> answer.give(OutcomeCodec.UPLOAD_PAGE, target.listUploads(list));
    }
  }
}
