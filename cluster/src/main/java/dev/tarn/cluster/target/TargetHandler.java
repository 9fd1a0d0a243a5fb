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
 * Carries out requests: one method for each kind. {@link TargetRequest#on} calls the right one, so
 * each request has an outcome of its own type.
 *
 * @param <C> what a handler needs to know of a call besides the request, such as its body
 */
public interface TargetHandler<C> {
  CompletionStage<Outcome<ObjectRead>> get(Get request, C call);

  CompletionStage<Outcome<ObjectHead>> head(Head request, C call);

  CompletionStage<Outcome<ObjectMetadata>> put(Put request, C call);

  CompletionStage<Outcome<Deleted>> delete(Delete request, C call);

  CompletionStage<Outcome<ObjectMetadata>> copy(Copy request, C call);

  CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl request, C call);

  CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags request, C call);

  CompletionStage<Outcome<ObjectMetadata>> setLock(SetLock request, C call);

  CompletionStage<Outcome<ListPage>> listObjects(ListObjects request, C call);

  CompletionStage<Outcome<VersionPage>> listVersions(ListVersions request, C call);

  CompletionStage<Outcome<UploadPage>> listUploads(ListUploads request, C call);

  CompletionStage<Outcome<Evicted>> evict(Evict request, C call);

  CompletionStage<Outcome<String>> createUpload(CreateUpload request, C call);

  CompletionStage<Outcome<ObjectPart>> putPart(PutPart request, C call);

  CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request, C call);

  CompletionStage<Outcome<ObjectMetadata>> complete(Complete request, C call);

  CompletionStage<Outcome<Aborted>> abort(Abort request, C call);

  CompletionStage<Outcome<PartPage>> listParts(ListParts request, C call);
}
