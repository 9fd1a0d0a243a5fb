package dev.tarn.gateway.s3;

import dev.tarn.cluster.checksum.ChecksumValues;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadDetails;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.ForwardingTarget;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A target where every call succeeds, with the same result, and changes nothing. Listings have two
 * pages, which are alike.
 */
final class OpenHandedTarget extends ForwardingTarget {
  private static final ObjectKey KEY = ObjectKey.of("a//b/../é\u0001<&>");
  private static final UploadDetails DETAILS =
      new UploadDetails(Optional.empty(), Optional.empty(), "STANDARD", Optional.of(""));

  private static final String ETAG = "5eb63bbbe01eeed093cb22bb8f5acdc3";

  private final ObjectMetadata object;
  private final ObjectPart part = new ObjectPart(1, 11, ETAG, List.of(), 0);

  OpenHandedTarget(Bucket bucket) {
    super(new MemoryTarget());
    this.object =
        new ObjectMetadata(
            new ObjectName(bucket.id(), KEY),
            new ObjectVersion(1, 1, 1),
            true,
            false,
            11,
            ETAG,
            List.of(ChecksumValues.ofBytes(ChecksumAlgorithm.CRC32, new byte[4])),
            new ObjectAttributes(Map.of(), Map.of(), Map.of("k", "v")),
            0,
            List.of(),
            null);
  }

  private static <T> CompletionStage<Outcome<T>> success(T value) {
    return CompletableFuture.completedFuture(Outcome.success(value));
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(TargetRequest.Head request, IncomingBody body) {
    return success(new ObjectHead(object, 0, object.sizeBytes()));
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(TargetRequest.Delete request, IncomingBody body) {
    return success(new Deleted(true, false, "null"));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(
      TargetRequest.Copy request, IncomingBody body) {
    return success(object);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(
      TargetRequest.SetTags request, IncomingBody body) {
    return success(object);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(
      TargetRequest.SetAcl request, IncomingBody body) {
    return success(object);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(
      UploadRequest.Complete request, IncomingBody body) {
    return success(object);
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(
      ListRequest.ListObjects request, IncomingBody body) {
    return success(objects(request));
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(
      ListRequest.ListUploads request, IncomingBody body) {
    return success(uploads(request));
  }

  @Override
  public CompletionStage<Outcome<String>> createUpload(
      TargetRequest.CreateUpload request, IncomingBody body) {
    return success("upload");
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(
      UploadRequest.CopyPart request, IncomingBody body) {
    return success(part);
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(UploadRequest.Abort request, IncomingBody body) {
    return success(new Aborted());
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(
      UploadRequest.ListParts request, IncomingBody body) {
    return success(new PartPage(List.of(part), true, DETAILS));
  }

  private ListPage objects(ListRequest.ListObjects request) {
    return new ListPage(
        List.of(ListPage.ObjectEntry.of(object), new ListPage.CommonPrefix(KEY)),
        request.after().isEmpty());
  }

  private static UploadPage uploads(ListRequest.ListUploads request) {
    return new UploadPage(
        List.of(
            new UploadPage.UploadEntry(KEY, "upload", 0, DETAILS),
            new UploadPage.CommonPrefix(KEY)),
        request.afterKey().isEmpty());
  }
}
