package dev.tarn.gateway.route;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
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
 * Copies between two owners, or two buckets that no target copies between: the bytes are read from
 * one and put to the other. What the copy keeps is what a copy within one owner keeps; an object of
 * parts therefore goes part by part, as an upload of its own.
 */
public final class Relay {
  private final Source from;
  private final ObjectTarget to;
  private final Executor blocking;

  /**
   * Copies from one to the other, which may be the same.
   *
   * @param from gives what is read, or fails where it may not be read
   * @param blocking runs the file reads of sources in this process
   */
  public Relay(Source from, ObjectTarget to, Executor blocking) {
    this.from = from;
    this.to = to;
    this.blocking = blocking;
  }

  /** Where copies are made from. */
  public interface Source {
    /** Reads an object as a target does. */
    CompletionStage<Outcome<ObjectRead>> get(Get request);
  }

  /** Carries out a copy between the two. */
  <R> CompletionStage<Outcome<R>> call(Copying<R> request) {
    return switch (request) {
      case Copy copy -> copy.answer(request, copy(copy));
      case CopyPart copy -> copy.answer(request, copyPart(copy));
    };
  }

  /** Copies an object. */
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

  /** Stores a part out of an object. */
  public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request) {
    PutPart put =
        new PutPart(request.scope(), request.key(), request.uploadId(), request.number(), Set.of());
    return then(
        read(request.source(), request.selection()),
        read -> closing(read, to.call(put, new ForwardedBody(read.body(), blocking))));
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
    return closing(read, to.call(put, new ForwardedBody(read.body(), blocking)));
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

  /** One after the other: a copy must not take more of two targets than any other call does. */
  private CompletionStage<Outcome<List<ObjectPart>>> copyPartsFrom(
      Copy request, ObjectMetadata source, String uploadId, int index, List<ObjectPart> copied) {
    if (index == source.parts().size()) {
      return completedFuture(Outcome.success(copied));
    }
    int number = source.parts().get(index).number();
    // Pinned by version and ETag: all parts must be of the object whose conditions held.
    CopySource pinned =
        new CopySource(
            request.source().scope(),
            request.source().key(),
            source.nullVersion() ? request.source().version() : Optional.of(source.versionText()),
            new Preconditions(
                List.of(source.etag()), List.of(), OptionalLong.empty(), OptionalLong.empty()));
    CopyPart part =
        new CopyPart(
            request.scope(), request.key(), uploadId, number, pinned, new Selection.Part(number));
    return then(
        copyPart(part).thenApply(Relay::sourceChanged),
        stored -> {
          copied.add(stored);
          return copyPartsFrom(request, source, uploadId, index + 1, copied);
        });
  }

  /** The conditions held when the copy began: what does not hold any more is a lost race. */
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

  private CompletionStage<Outcome<ObjectRead>> read(CopySource source, Selection selection) {
    Get get =
        new Get(source.scope(), source.key(), source.version(), selection, source.preconditions());
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

  private static <T> CompletionStage<Outcome<T>> closing(
      ObjectRead read, CompletionStage<Outcome<T>> stored) {
    return stored.whenComplete((outcome, defect) -> read.body().close());
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
