package dev.tarn.gateway;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import java.util.concurrent.CompletionStage;

/** A target that passes all calls on, to be overridden in part. */
public class ForwardingTarget implements ObjectTarget {
  private final ObjectTarget target;

  /** Passes them on to this one. */
  public ForwardingTarget(ObjectTarget target) {
    this.target = target;
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(TargetRequest.Get request) {
    return target.get(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(TargetRequest.Head request) {
    return target.head(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> put(
      TargetRequest.Put request, IncomingBody body) {
    return target.put(request, body);
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(TargetRequest.Delete request) {
    return target.delete(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(TargetRequest.Copy request) {
    return target.copy(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(TargetRequest.SetTags request) {
    return target.setTags(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(TargetRequest.SetAcl request) {
    return target.setAcl(request);
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(TargetRequest.ListObjects request) {
    return target.listObjects(request);
  }

  @Override
  public CompletionStage<Outcome<VersionPage>> listVersions(TargetRequest.ListVersions request) {
    return target.listVersions(request);
  }

  @Override
  public CompletionStage<Outcome<String>> createUpload(TargetRequest.CreateUpload request) {
    return target.createUpload(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> putPart(
      TargetRequest.PutPart request, IncomingBody body) {
    return target.putPart(request, body);
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(TargetRequest.CopyPart request) {
    return target.copyPart(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(TargetRequest.Complete request) {
    return target.complete(request);
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(TargetRequest.Abort request) {
    return target.abort(request);
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(TargetRequest.ListParts request) {
    return target.listParts(request);
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(TargetRequest.ListUploads request) {
    return target.listUploads(request);
  }
}
