package dev.tarn.e2e.wire;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.PartPage;
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
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** A target that gives its bytes in another form. */
final class FormedTarget implements ObjectTarget {
  private final ObjectTarget target;
  private final UnaryOperator<OutgoingBody> form;

  FormedTarget(ObjectTarget target, UnaryOperator<OutgoingBody> form) {
    this.target = target;
    this.form = form;
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get request) {
    return target
        .get(request)
        .thenApply(
            outcome -> outcome.map(read -> new ObjectRead(read.head(), form.apply(read.body()))));
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(Head request) {
    return target.head(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> put(Put request, IncomingBody body) {
    return target.put(request, body);
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(Delete request) {
    return target.delete(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(Copy request) {
    return target.copy(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags request) {
    return target.setTags(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl request) {
    return target.setAcl(request);
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(ListObjects request) {
    return target.listObjects(request);
  }

  @Override
  public CompletionStage<Outcome<VersionPage>> listVersions(ListVersions request) {
    return target.listVersions(request);
  }

  @Override
  public CompletionStage<Outcome<String>> createUpload(CreateUpload request) {
    return target.createUpload(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> putPart(PutPart request, IncomingBody body) {
    return target.putPart(request, body);
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request) {
    return target.copyPart(request);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(Complete request) {
    return target.complete(request);
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(Abort request) {
    return target.abort(request);
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(ListParts request) {
    return target.listParts(request);
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(ListUploads request) {
    return target.listUploads(request);
  }
}
