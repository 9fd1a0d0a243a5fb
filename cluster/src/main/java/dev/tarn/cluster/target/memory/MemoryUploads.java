package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Multipart uploads. Guarded by the target's lock. */
final class MemoryUploads {
  private final MemoryState state;
  private final MemoryObjects objects;

  MemoryUploads(MemoryState state, MemoryObjects objects) {
    this.state = state;
    this.objects = objects;
  }

  Outcome<String> create(CreateUpload request) {
    String uploadId = UUID.randomUUID().toString();
    state
        .uploads(request.scope().bucket())
        .put(new UploadName(request.key(), uploadId), new OpenUpload(request, state.nowMs()));
    return Outcome.success(uploadId);
  }

  Outcome<ObjectPart> putPart(PutPart request, byte[] bytes, DeclaredDigests declared) {
    Set<ChecksumAlgorithm> algorithms = MemoryObjects.algorithms(request.checksums(), declared);
    return find(request, request.uploadId())
        .then(upload ->
            MemoryObjects.verified(bytes, declared)
                .map(Outcome::<ObjectPart>failed)
                .orElseGet(() -> store(upload, request.number(), algorithms, bytes)));
  }

  Outcome<ObjectPart> copyPart(CopyPart request) {
    return find(request, request.uploadId())
        .then(upload ->
            objects
                .source(request.source())
                .then(source ->
                    ObjectHead.select(source.metadata(), request.selection())
                        .then(head ->
                            store(
                                upload,
                                request.number(),
                                EnumSet.noneOf(ChecksumAlgorithm.class),
                                Arrays.copyOfRange(
                                    source.bytes(),
                                    (int) head.offset(),
                                    (int) (head.offset() + head.length()))))));
  }

  private Outcome<ObjectPart> store(
      OpenUpload upload, int number, Set<ChecksumAlgorithm> algorithms, byte[] bytes) {
    StoredPart replaced = upload.parts().get(number);
    if (!state.exchange(replaced == null ? 0 : replaced.bytes().length, bytes.length)) {
      return Outcome.failed(MemoryState.FULL);
    }
    upload.request().checksum().ifPresent(algorithms::add);
    ObjectPart part =
        new ObjectPart(
            number,
            bytes.length,
            ByteDigests.etag(bytes),
            ByteDigests.checksums(algorithms, bytes),
            state.nowMs());
    upload.parts().put(number, new StoredPart(part, new StoredBytes(bytes)));
    return Outcome.success(part);
  }

  Outcome<ObjectMetadata> complete(Complete request) {
    StoredObject present = state.present(request.name());
    if (present != null && present.uploadId().equals(request.uploadId())) {
      return Outcome.success(present.metadata());
    }
    return find(request, request.uploadId())
        .then(upload -> upload.choose(request).then(chosen -> join(request, upload, chosen)));
  }

  private Outcome<ObjectMetadata> join(
      Complete request, OpenUpload upload, List<StoredPart> chosen) {
    byte[] bytes = OpenUpload.join(chosen);
    List<ObjectPart> parts = chosen.stream().map(StoredPart::part).toList();
    List<ObjectChecksum> checksums = upload.checksums(parts, bytes);
    Optional<Failure> refused = OpenUpload.refuse(request, checksums, bytes);
    if (refused.isPresent()) {
      return Outcome.failed(refused.orElseThrow());
    }
    state.free(upload.sizeBytes());
    Outcome<ObjectMetadata> committed =
        objects.commit(
            request.scope(),
            request.preconditions(),
            new MemoryObjects.ObjectContent(
                request.name(),
                ByteDigests.etagOfParts(parts),
                checksums,
                upload.request().attributes(),
                parts,
                new StoredBytes(bytes),
                request.uploadId()));
    if (committed instanceof Outcome.Success) {
      remove(request.scope(), request, request.uploadId());
    } else {
      state.take(upload.sizeBytes());
    }
    return committed;
  }

  Outcome<Aborted> abort(Abort request) {
    return find(request, request.uploadId())
        .map(upload -> {
          remove(request.scope(), request, request.uploadId());
          state.free(upload.sizeBytes());
          return new Aborted();
        });
  }

  Outcome<PartPage> listParts(ListParts request) {
    return find(request, request.uploadId())
        .map(upload -> {
          List<ObjectPart> behind =
              upload.parts().tailMap(request.afterNumber(), false).values().stream()
                  .map(StoredPart::part)
                  .toList();
          List<ObjectPart> page = behind.stream().limit(request.partsMax()).toList();
          return new PartPage(
              page,
              !page.isEmpty() && page.size() < behind.size(),
              upload.request().checksum(),
              upload.request().checksumType());
        });
  }

  private Outcome<OpenUpload> find(OfKey<?> request, String uploadId) {
    OpenUpload upload =
        state.uploads(request.scope().bucket()).get(new UploadName(request.key(), uploadId));
    return upload == null ? Outcome.failed(new Failure.NoSuchUpload()) : Outcome.success(upload);
  }

  private void remove(CallScope scope, OfKey<?> request, String uploadId) {
    state.uploads(scope.bucket()).remove(new UploadName(request.key(), uploadId));
  }
}
