package dev.tarn.cluster.target;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.ListRequest.Evict;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.ListRequest.ListUploads;
import dev.tarn.cluster.target.ListRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetLock;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import java.util.concurrent.CompletionStage;

/**
 * A handler with methods of its own for some kinds of requests; {@link #remaining} carries out the
 * others.
 *
 * @param <C> what the handler needs to know of a call besides the request
 */
public interface SelectiveHandler<C> extends TargetHandler<C> {
  /** Carries out a request whose kind has no method of its own. */
  <R> CompletionStage<Outcome<R>> remaining(TargetRequest<R> request, C call);

  @Override
  default CompletionStage<Outcome<ObjectRead>> get(Get request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<ObjectHead>> head(Head request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<ObjectMetadata>> put(Put request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<Deleted>> delete(Delete request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<ObjectMetadata>> copy(Copy request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<ObjectMetadata>> setLock(SetLock request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<ListPage>> listObjects(ListObjects request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<VersionPage>> listVersions(ListVersions request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<UploadPage>> listUploads(ListUploads request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<Evicted>> evict(Evict request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<String>> createUpload(CreateUpload request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<ObjectPart>> putPart(PutPart request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<ObjectMetadata>> complete(Complete request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<Aborted>> abort(Abort request, C call) {
    return remaining(request, call);
  }

  @Override
  default CompletionStage<Outcome<PartPage>> listParts(ListParts request, C call) {
    return remaining(request, call);
  }
}
