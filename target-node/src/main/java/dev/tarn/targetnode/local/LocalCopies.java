package dev.tarn.targetnode.local;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetLock;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.targetnode.local.Sources.Source;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.Piece;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Copies objects and changes their tags, ACLs and locks. A copy on the same disk names the extents
 * of its source; only inline bytes are written again. The commit verifies that the source is
 * unchanged since it was read, and otherwise the call starts again.
 */
final class LocalCopies {
  private final Sources sources;
  private final Commits commits;
  private final Work work;

  LocalCopies(Sources sources, Commits commits, Work work) {
    this.sources = sources;
    this.commits = commits;
    this.work = work;
  }

  /** The content to commit, with the extent that was written for it. */
  private record Prepared(Source source, Commits.Content content, Optional<ExtentWriter> extent) {}

  CompletionStage<Outcome<ObjectMetadata>> copy(
      DiskStore from, DiskStore to, Copy request, Bucket bucket) {
    return work.<Prepared, ObjectMetadata>untilWon(
        request.scope().deadline(),
        from,
        () ->
            sources.using(
                from,
                request.source(),
                source -> prepare(source, to, request, Commits.durability(bucket))),
        prepared -> commit(from, to, request, bucket, prepared));
  }

  private CompletionStage<Outcome<ObjectMetadata>> commit(
      DiskStore from, DiskStore to, Copy request, Bucket bucket, Prepared prepared) {
    return commits.commit(
        request,
        to,
        Commits.durability(bucket),
        prepared.extent(),
        prepared.content().payload().remaining(),
        view ->
            from == to && !prepared.source().isUnchanged(view)
                ? new Decision.Refuse<>(new Failure.LostRace())
                : commits.decide(view, request.preconditions(), prepared.content()));
  }

  private Outcome<Prepared> prepare(
      Source source, DiskStore to, Copy request, Durability durability) throws IOException {
    ObjectMetadata metadata = source.object().metadata();
    boolean moved = source.store() != to && !source.object().isInline() && metadata.sizeBytes() > 0;
    long bytes = moved ? 0 : source.payload().remaining(); // What is moved asks for its own room.
    if (Sources.room(to, bytes) instanceof Outcome.Failed<Boolean>(Failure full)) {
      return Outcome.failed(full);
    }
    boolean anew = !request.checksums().isEmpty();
    BodyDigests digests = new BodyDigests(anew, request.checksums());
    if (moved) {
      return sources
          .write(source, 0, metadata.sizeBytes(), to, durability, digests)
          .map(writer ->
              new Prepared(
                  source,
                  content(source, request, digests, pieces(writer, source.object().pieces())),
                  Optional.of(writer)));
    }
    if (anew) {
      sources.digest(source, 0, metadata.sizeBytes(), digests);
    }
    return Outcome.success(
        new Prepared(
            source, content(source, request, digests, source.object().pieces()), Optional.empty()));
  }

  private static Commits.Content content(
      Source source, Copy request, BodyDigests digests, List<Piece> pieces) {
    ObjectMetadata metadata = source.object().metadata();
    boolean anew = !request.checksums().isEmpty();
    BodyDigests.Computed computed =
        anew ? digests.finish() : new BodyDigests.Computed(Optional.empty(), metadata.checksums());
    return new Commits.Content(
        request.name(),
        metadata.sizeBytes(),
        computed.md5Hex().orElse(metadata.etag()),
        computed.checksums(),
        request.attributesFrom(metadata.attributes()),
        anew ? List.of() : metadata.parts(),
        pieces,
        "",
        source.payload());
  }

  /** The pieces of a copy with these lengths, one after the other in one extent. */
  private static List<Piece> pieces(ExtentWriter extent, List<Piece> like) {
    List<Piece> pieces = new ArrayList<>(like.size());
    long offset = 0;
    for (Piece piece : like) {
      pieces.add(new Piece.ExtentRange(extent.id(), offset, piece.length(), extent.tableCrc()));
      offset += piece.length();
    }
    return pieces;
  }

  CompletionStage<Outcome<ObjectMetadata>> setTags(
      DiskStore store, SetTags request, Bucket bucket) {
    return revise(
        store,
        request,
        request.version(),
        bucket,
        (attributes, nowMs) -> Outcome.success(attributes.with(request.tags())));
  }

  CompletionStage<Outcome<ObjectMetadata>> setAcl(DiskStore store, SetAcl request, Bucket bucket) {
    return revise(
        store,
        request,
        request.version(),
        bucket,
        (attributes, nowMs) -> Outcome.success(attributes.with(request.acl())));
  }

  CompletionStage<Outcome<ObjectMetadata>> setLock(
      DiskStore store, SetLock request, Bucket bucket) {
    return revise(
        store,
        request,
        request.version(),
        bucket,
        (attributes, nowMs) -> {
          ObjectLock lock = attributes.lock();
          return lock.forbids(request.change(), nowMs)
              ? Outcome.failed(new Failure.Locked())
              : Outcome.success(attributes.with(request.change().applyTo(lock)));
        });
  }

  /** A change of an object's attributes. */
  private interface Revision {
    /**
     * The attributes after the change, or why it is refused.
     *
     * @param nowMs the time of the commit, in milliseconds since 1970
     */
    Outcome<ObjectAttributes> of(ObjectAttributes before, long nowMs);
  }

  private CompletionStage<Outcome<ObjectMetadata>> revise(
      DiskStore store,
      TargetRequest.OfKey<ObjectMetadata> request,
      Optional<String> version,
      Bucket bucket,
      Revision change) {
    return work.<Source, ObjectMetadata>untilWon(
        request.scope().deadline(),
        store,
        () -> sources.using(store, request.name(), version, Outcome::success),
        source -> commit(request, store, Commits.durability(bucket), source, change));
  }

  private CompletionStage<Outcome<ObjectMetadata>> commit(
      TargetRequest.OfKey<ObjectMetadata> request,
      DiskStore store,
      Durability durability,
      Source source,
      Revision change) {
    return commits.commit(
        request,
        store,
        durability,
        Optional.empty(),
        source.payload().remaining(),
        view -> {
          if (!source.isUnchanged(view)) {
            return new Decision.Refuse<>(new Failure.LostRace());
          }
          ObjectMetadata old = source.object().metadata();
          return switch (change.of(old.attributes(), view.nowMs())) {
            case Outcome.Failed<ObjectAttributes>(Failure failure) ->
                new Decision.Refuse<>(failure);
            case Outcome.Success<ObjectAttributes>(ObjectAttributes attributes) -> {
              ObjectMetadata changed = revised(old, attributes);
              yield new Decision.Write<>(
                  new LogEntry.ObjectStored(source.object().revised(changed, view.mapEpoch())),
                  source.payload(),
                  changed);
            }
          };
        });
  }

  private static ObjectMetadata revised(ObjectMetadata old, ObjectAttributes attributes) {
    return new ObjectMetadata(
        old.name(),
        old.version(),
        old.nullVersion(),
        old.deleteMarker(),
        old.sizeBytes(),
        old.etag(),
        old.checksums(),
        attributes,
        old.modifiedMs(),
        old.parts(),
        old.origin());
  }
}
