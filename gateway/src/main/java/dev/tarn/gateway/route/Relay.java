package dev.tarn.gateway.route;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.Copying;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import dev.tarn.transport.body.ForwardedBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Copies between two owners, or between two buckets that no target can copy between. The relay
 * reads verified bytes from one and puts them to the other, with the MD5 that the source knows, or
 * that of the bytes that arrived, so that damage fails the copy. The copy keeps the same properties
 * as a copy within one owner. An object with parts is therefore copied part by part, as a multipart
 * upload.
 */
public final class Relay implements Copying.Copier {
  private final Source from;
  private final ObjectTarget to;
  private final Executor blocking;

  /**
   * Copies from a source to a target; they may be the same.
   *
   * @param from reads the sources; fails if a source may not be read
   * @param blocking runs the file reads of sources in this process
   */
  public Relay(Source from, ObjectTarget to, Executor blocking) {
    this.from = from;
    this.to = to;
    this.blocking = blocking;
  }

  /** Reads the sources of copies. */
  public interface Source {
    /** Reads an object like a target. */
    CompletionStage<Outcome<ObjectRead>> get(Get request);
  }

  /** Copies an object. */
  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(Copy request) {
    return then(
        read(request.source(), Selection.WHOLE),
        read -> {
          ObjectMetadata source = read.head().metadata();
          boolean inParts = !source.parts().isEmpty() && request.checksums().isEmpty();
          if (inParts) {
            read.body().close();
            return copyParts(request, source);
          }
          return put(request, read);
        });
  }

  /** Copies an object, or a range of one, into a part of an upload. */
  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request) {
    PutPart put =
        new PutPart(request.scope(), request.key(), request.uploadId(), request.number(), Set.of());
    return then(
        read(request.source(), request.selection()),
        read -> {
          ObjectMetadata source = read.head().metadata();
          if (request.select(source) instanceof Outcome.Failed<ObjectHead>(Failure beyond)) {
            read.body().close();
            return completedFuture(Outcome.failed(beyond));
          }
          return store(
              put, read, request.source(), DeclaredDigests.of(source, request.selection()));
        });
  }

  private CompletionStage<Outcome<ObjectMetadata>> put(Copy request, ObjectRead read) {
    ObjectMetadata source = read.head().metadata();
    Set<ChecksumAlgorithm> checksums =
        request.checksums().isEmpty()
            ? source.checksums().stream()
                .map(ObjectChecksum::algorithm)
                .collect(Collectors.toUnmodifiableSet())
            : request.checksums();
    Put put =
        new Put(
            request.scope(),
            request.key(),
            request.attributesFrom(source.attributes()),
            checksums,
            request.preconditions());
    return store(put, read, request.source(), DeclaredDigests.of(source, Selection.WHOLE));
  }

  /** Stores what is read from a source. If the source breaks off, the failure says why. */
  private <T> CompletionStage<Outcome<T>> store(
      OfKey<T> put, ObjectRead read, CopySource source, DeclaredDigests digests) {
    ForwardedBody body = new ForwardedBody(read.body(), digests, blocking);
    return to.call(put, body)
        .whenComplete((outcome, defect) -> read.body().close())
        .thenCompose(outcome -> {
          OptionalLong broken = body.brokenAfterBytes();
          if (outcome instanceof Outcome.Failed && broken.isPresent()) {
            return brokenSource(source, read.head(), broken.orElseThrow())
                .thenApply(Outcome::failed);
          }
          return completedFuture(
              outcome instanceof Outcome.Failed<T>(Failure.BadDigest differs)
                  ? Outcome.failed(changedOnTheWay(source))
                  : outcome);
        });
  }

  /**
   * Why a source broke off after so many of the selected bytes. The next byte is read once more:
   * its target verifies it before the answer, and so the answer can say what is damaged.
   */
  private CompletionStage<Failure> brokenSource(CopySource source, ObjectHead head, long read) {
    long next = head.offset() + read;
    return read(pinned(source, head.metadata()), new Selection.Range(next, next))
        .thenApply(outcome ->
            switch (outcome) {
              case Outcome.Failed<ObjectRead>(Failure.Corrupt damaged) -> damaged;
              case Outcome.Failed<ObjectRead> failed -> brokenOff(source, head, read);
              case Outcome.Success<ObjectRead>(ObjectRead again) -> {
                again.body().close();
                yield brokenOff(source, head, read);
              }
            });
  }

  private static Failure brokenOff(CopySource source, ObjectHead head, long read) {
    return new Failure.Unavailable(
        "Copy failed: the source "
            + source.key().text()
            + " broke off after "
            + read
            + " of "
            + head.length()
            + " bytes; retry.");
  }

  private static Failure changedOnTheWay(CopySource source) {
    return new Failure.Corrupt(
        "Copy failed: the bytes of the source "
            + source.key().text()
            + " reached the receiver with another MD5; retry.");
  }

  private CompletionStage<Outcome<ObjectMetadata>> copyParts(Copy request, ObjectMetadata source) {
    Optional<ObjectChecksum> checksum = source.checksums().stream().findFirst();
    CreateUpload create =
        new CreateUpload(
            request.scope(),
            request.key(),
            request.attributesFrom(source.attributes()),
            checksum.map(ObjectChecksum::algorithm),
            checksum.map(ObjectChecksum::type));
    return then(
        to.call(create),
        uploadId ->
            then(
                    copyPartsFrom(request, source, uploadId, 0, new ArrayList<>()),
                    parts -> to.call(complete(request, uploadId, parts)))
                .thenCompose(outcome -> abortFailed(request, uploadId, outcome))
                .exceptionallyCompose(defect -> abortBroken(request, uploadId, defect)));
  }

  private CompletionStage<Outcome<ObjectMetadata>> abortBroken(
      Copy request, String uploadId, Throwable defect) {
    return to.call(new Abort(request.scope(), request.key(), uploadId))
        .thenCompose(aborted -> failedFuture(defect));
  }

  /**
   * Copies one part after the other, so that a copy loads two targets no more than any other call.
   */
  private CompletionStage<Outcome<List<ObjectPart>>> copyPartsFrom(
      Copy request, ObjectMetadata source, String uploadId, int index, List<ObjectPart> copied) {
    if (index == source.parts().size()) {
      return completedFuture(Outcome.success(copied));
    }
    int number = source.parts().get(index).number();
    CopyPart part =
        new CopyPart(
            request.scope(),
            request.key(),
            uploadId,
            number,
            pinned(request.source(), source),
            new Selection.Part(number));
    return then(
        copyPart(part).thenApply(Relay::sourceChanged),
        stored -> {
          copied.add(stored);
          return copyPartsFrom(request, source, uploadId, index + 1, copied);
        });
  }

  /** The source with fixed version and ETag: further reads are of the same object, or fail. */
  private static CopySource pinned(CopySource source, ObjectMetadata found) {
    return new CopySource(
        source.scope(),
        source.key(),
        found.nullVersion() ? source.version() : Optional.of(found.versionText()),
        new Preconditions(
            List.of(found.etag()), List.of(), OptionalLong.empty(), OptionalLong.empty()));
  }

  /**
   * The preconditions held when the copy began. If the source no longer meets them, a concurrent
   * write won.
   */
  private static Outcome<ObjectPart> sourceChanged(Outcome<ObjectPart> outcome) {
    return outcome instanceof Outcome.Failed<ObjectPart>(Failure failure)
            && (failure instanceof Failure.PreconditionFailed
                || failure instanceof Failure.NoSuchKey
                || failure instanceof Failure.NoSuchVersion)
        ? Outcome.failed(new Failure.LostRace())
        : outcome;
  }

  private static Complete complete(Copy request, String uploadId, List<ObjectPart> parts) {
    return new Complete(
        request.scope(),
        request.key(),
        uploadId,
        parts.stream()
            .map(part -> new CompletedPart(part.number(), part.etag(), List.of()))
            .toList(),
        OptionalLong.empty(),
        Optional.empty(),
        request.preconditions());
  }

  private CompletionStage<Outcome<ObjectMetadata>> abortFailed(
      Copy request, String uploadId, Outcome<ObjectMetadata> outcome) {
    if (outcome instanceof Outcome.Success) {
      return completedFuture(outcome);
    }
    return to.call(new Abort(request.scope(), request.key(), uploadId))
        .thenApply(aborted -> outcome);
  }

  /** Reads verified bytes, because the copy gets checksums of its own. */
  private CompletionStage<Outcome<ObjectRead>> read(CopySource source, Selection selection) {
    Get get =
        new Get(
            source.scope(),
            source.key(),
            source.version(),
            selection,
            source.preconditions(),
            true);
    return from.get(get)
        .thenApply(outcome ->
            outcome instanceof Outcome.Failed<ObjectRead>(Failure failure)
                ? Outcome.failed(copyRefused(source, failure))
                : outcome);
  }

  private static Failure copyRefused(CopySource source, Failure failure) {
    return failure instanceof Failure.NotModified unchanged
        ? source.preconditions().refuseCopyFrom(unchanged.metadata()).orElse(unchanged)
        : CopySource.refusal(failure);
  }

  private static <T, R> CompletionStage<Outcome<R>> then(
      CompletionStage<Outcome<T>> stage, Function<T, CompletionStage<Outcome<R>>> next) {
    return stage.thenCompose(outcome ->
        switch (outcome) {
          case Outcome.Success<T>(T value) -> next.apply(value);
          case Outcome.Failed<T>(Failure failure) -> completedFuture(Outcome.<R>failed(failure));
        });
  }
}
