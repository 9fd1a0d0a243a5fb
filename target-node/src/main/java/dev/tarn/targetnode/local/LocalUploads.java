package dev.tarn.targetnode.local;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import dev.tarn.targetnode.local.Sources.Source;
import dev.tarn.targetnode.store.CommitView;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.read.PieceRange;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.PartRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.record.StoredRevision;
import dev.tarn.targetnode.store.record.UploadRecord;
import dev.tarn.targetnode.store.write.BodyReceiver;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.targetnode.store.write.ReceivedBody;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Multipart uploads: create, put parts, complete without copying, abort. */
final class LocalUploads {
  /** The approximate memory of a part while its upload's completion waits. */
  private static final int BYTES_OF_A_PART = 256;

  private static final int RANDOM_ID_BYTES = 12;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final BodyWriting writing;
  private final Sources sources;
  private final Commits commits;
  private final Work work;

  LocalUploads(BodyWriting writing, Sources sources, Commits commits, Work work) {
    this.writing = writing;
    this.sources = sources;
    this.commits = commits;
    this.work = work;
  }

  CompletionStage<Outcome<String>> create(DiskStore store, CreateUpload request, Bucket bucket) {
    return commits.commit(
        request,
        store,
        Commits.durability(bucket),
        Optional.empty(),
        view ->
            commits.byConfiguration(
                request.scope().bucket(),
                configuration -> {
                  long nowMs = view.nowMs(); // of the id and the record: their orders are the same
                  String id = newId(nowMs);
                  return new Decision.Write<>(
                      new LogEntry.UploadCreated(
                          new UploadRecord(
                              request.name(),
                              id,
                              nowMs,
                              request.attributes(),
                              request.checksum(),
                              request.checksumType(),
                              request.scope().context().userId().orElse(""))),
                      id);
                }));
  }

  /** An id that nobody can guess. Of one key, the order of the ids is that of time, as on AWS. */
  private static String newId(long nowMs) {
    byte[] random = new byte[RANDOM_ID_BYTES];
    RANDOM.nextBytes(random);
    return "%012x".formatted(nowMs) + HexFormat.of().formatHex(random);
  }

  CompletionStage<Outcome<ObjectPart>> putPart(
      DiskStore store, PutPart request, IncomingBody body, Bucket bucket) {
    Durability durability = Commits.durability(bucket);
    return work.onWorker(
            request.scope().deadline(), store, () -> find(store, request, request.uploadId()))
        .thenCompose(found -> {
          if (!(found instanceof Outcome.Success<UploadRecord> upload)) {
            body.bytes().subscribe(new RefusedBody());
            return completedFuture(found.then(value -> Outcome.failed(new Failure.NoSuchUpload())));
          }
          Set<ChecksumAlgorithm> algorithms = EnumSet.noneOf(ChecksumAlgorithm.class);
          algorithms.addAll(request.checksums());
          upload.value().checksum().ifPresent(algorithms::add);
          var placing = new BodyReceiver.Placing(0, durability == Durability.DEVICE);
          return writing
              .receive(store, body, placing, algorithms)
              .thenCompose(received -> commitBody(store, request, received, durability));
        });
  }

  private CompletionStage<Outcome<ObjectPart>> commitBody(
      DiskStore store, PutPart request, Outcome<ReceivedBody> received, Durability durability) {
    if (!(received instanceof Outcome.Success<ReceivedBody> success)) {
      return completedFuture(Outcome.failed(((Outcome.Failed<ReceivedBody>) received).failure()));
    }
    ReceivedBody body = success.value();
    return commits.commit(
        request,
        store,
        durability,
        body.extent(),
        view ->
            decidePart(
                view,
                request,
                request.uploadId(),
                request.number(),
                body.digests(),
                body.pieces()));
  }

  private static Decision<ObjectPart> decidePart(
      CommitView view,
      OfKey<?> request,
      String uploadId,
      int number,
      BodyDigests.Computed digests,
      List<Piece> pieces)
      throws IOException {
    if (view.upload(request.name(), uploadId) == null) {
      return new Decision.Refuse<>(new Failure.NoSuchUpload());
    }
    PartRecord replaced = view.part(uploadId, number);
    ObjectPart part =
        new ObjectPart(
            number,
            pieces.stream().mapToLong(Piece::length).sum(),
            digests.md5Hex().orElseThrow(),
            digests.checksums(),
            view.nowMs());
    StoredRevision revision =
        replaced == null
            ? StoredRevision.first(view.mapEpoch())
            : replaced.revision().next(view.mapEpoch());
    return new Decision.Write<>(
        new LogEntry.PartStored(request.name(), new PartRecord(uploadId, revision, part, pieces)),
        part);
  }

  /** The content of a copied part. */
  private record PartCopy(
      Source source,
      BodyDigests.Computed digests,
      List<Piece> pieces,
      Optional<ExtentWriter> extent) {
    /** Whether the part names extents of its source, which must then still exist. */
    boolean sharesBytes() {
      return extent.isEmpty() && !pieces.isEmpty();
    }
  }

  CompletionStage<Outcome<ObjectPart>> copyPart(
      DiskStore from, DiskStore to, CopyPart request, Bucket bucket) {
    Durability durability = Commits.durability(bucket);
    return work.<PartCopy, ObjectPart>untilWon(
        request.scope().deadline(),
        from,
        () ->
            switch (to.attempt(() -> find(to, request, request.uploadId()))) {
              case Outcome.Failed<UploadRecord> none -> Outcome.failed(none.failure());
              case Outcome.Success<UploadRecord>(UploadRecord upload) ->
                  sources.using(
                      from,
                      request.source(),
                      source -> prepareCopy(source, upload, to, request, durability));
            },
        copy ->
            commits.commit(
                request,
                to,
                durability,
                copy.extent(),
                view ->
                    copy.sharesBytes() && !copy.source().isUnchanged(view)
                        ? new Decision.Refuse<>(new Failure.LostRace())
                        : decidePart(
                            view,
                            request,
                            request.uploadId(),
                            request.number(),
                            copy.digests(),
                            copy.pieces())));
  }

  /** Reads the bytes once for their digests; writes them only if they cannot be shared. */
  private Outcome<PartCopy> prepareCopy(
      Source source, UploadRecord upload, DiskStore to, CopyPart request, Durability durability)
      throws IOException {
    Outcome<ObjectHead> selected = request.select(source.object().metadata());
    if (!(selected instanceof Outcome.Success<ObjectHead>(ObjectHead range))) {
      return selected.then(none -> Outcome.failed(new Failure.NoSuchPart(1)));
    }
    Set<ChecksumAlgorithm> algorithms = EnumSet.noneOf(ChecksumAlgorithm.class);
    upload.checksum().ifPresent(algorithms::add);
    BodyDigests digests = new BodyDigests(true, algorithms);
    long offset = range.offset();
    long length = range.length();
    boolean shares = length == 0 || (source.store() == to && !source.object().isInline());
    if (Sources.room(to, 0) instanceof Outcome.Failed<Boolean>(Failure full)) {
      return Outcome.failed(full);
    }
    if (shares) {
      List<Piece> shared = PieceRange.cut(source.object().pieces(), offset, length);
      sources.digest(source, offset, length, digests);
      return Outcome.success(new PartCopy(source, digests.finish(), shared, Optional.empty()));
    }
    return sources
        .write(source, offset, length, to, durability, digests)
        .map(writer -> {
          Piece piece = new Piece.ExtentRange(writer.id(), 0, length, writer.tableCrc());
          return new PartCopy(source, digests.finish(), List.of(piece), Optional.of(writer));
        });
  }

  CompletionStage<Outcome<ObjectMetadata>> complete(
      DiskStore store, Complete request, Bucket bucket) {
    return commits.commit(
        request,
        store,
        Commits.durability(bucket),
        Optional.empty(),
        (long) request.parts().size() * BYTES_OF_A_PART,
        view -> decideComplete(view, request));
  }

  private Decision<ObjectMetadata> decideComplete(CommitView view, Complete request)
      throws IOException {
    ObjectRecord present = view.object(request.name());
    if (present != null
        && !request.uploadId().isEmpty()
        && present.uploadId().equals(request.uploadId())) {
      return new Decision.Nothing<>(present.metadata());
    }
    UploadRecord upload = view.upload(request.name(), request.uploadId());
    if (upload == null) {
      return new Decision.Refuse<>(new Failure.NoSuchUpload());
    }
    return switch (CompletePlan.of(request, upload, view.parts(upload.id()))) {
      case Outcome.Success<Commits.Content> plan ->
          commits.decide(view, request.preconditions(), plan.value());
      case Outcome.Failed<Commits.Content> failed -> new Decision.Refuse<>(failed.failure());
    };
  }

  CompletionStage<Outcome<Aborted>> abort(DiskStore store, Abort request, Bucket bucket) {
    return commits.commit(
        request,
        store,
        Commits.durability(bucket),
        Optional.empty(),
        view ->
            view.upload(request.name(), request.uploadId()) == null
                ? new Decision.Refuse<>(new Failure.NoSuchUpload())
                : new Decision.Write<>(
                    new LogEntry.UploadAborted(request.name(), request.uploadId()), new Aborted()));
  }

  static Outcome<UploadRecord> find(DiskStore store, OfKey<?> request, String uploadId)
      throws IOException {
    ObjectName name = request.name();
    IndexEntry entry = store.index().findUpload(name, uploadId);
    return entry != null && entry.entry() instanceof LogEntry.UploadCreated created
        ? Outcome.success(created.upload())
        : Outcome.failed(new Failure.NoSuchUpload());
  }
}
