package dev.tarn.targetnode.local;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget.Deleted;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.targetnode.BucketRules;
import dev.tarn.targetnode.store.CommitView;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.StoredObject;
import dev.tarn.targetnode.store.write.BodyReceiver;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.targetnode.store.write.ReceivedBody;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** PUT and DELETE. */
final class Writes {
  private final BodyWriting writing;
  private final Commits commits;

  Writes(BodyWriting writing, Commits commits) {
    this.writing = writing;
    this.commits = commits;
  }

  CompletionStage<Outcome<ObjectMetadata>> put(
      DiskStore store, Put request, IncomingBody body, BucketRules rules) {
    Durability durability = Commits.durability(rules);
    var placing =
        new BodyReceiver.Placing(
            store.settings().inlineBytesMax(), durability == Durability.DEVICE);
    return writing
        .receive(store, body, placing, request.checksums())
        .thenCompose(received ->
            switch (received) {
              case Outcome.Failed<ReceivedBody> failed ->
                  completedFuture(Outcome.failed(failed.failure()));
              case Outcome.Success<ReceivedBody> success ->
                  commit(store, request, success.value(), durability);
            });
  }

  private CompletionStage<Outcome<ObjectMetadata>> commit(
      DiskStore store, Put request, ReceivedBody body, Durability durability) {
    Commits.Content content =
        new Commits.Content(
            request.name(),
            body.length(),
            body.digests().md5Hex().orElseThrow(),
            body.digests().checksums(),
            request.attributes(),
            List.of(),
            body.pieces(),
            "",
            body.inline());
    return commits.commit(
        store,
        durability,
        body.extent(),
        body.inline().remaining(),
        view -> Commits.decide(view, request.preconditions(), content));
  }

  CompletionStage<Outcome<Deleted>> delete(DiskStore store, Delete request, BucketRules rules) {
    return commits.commit(
        store, Commits.durability(rules), Optional.empty(), view -> decideDelete(view, request));
  }

  private static Decision<Deleted> decideDelete(CommitView view, Delete request)
      throws IOException {
    StoredObject present = view.object(request.name());
    Optional<Failure> refused =
        request.preconditions().refuseWrite(present == null ? null : present.metadata());
    if (refused.isPresent()) {
      return new Decision.Refuse<>(refused.orElseThrow());
    }
    if (present == null || !Reads.isVersion(present.metadata(), request.version().orElse("null"))) {
      return new Decision.Nothing<>(new Deleted(false, false, ""));
    }
    return new Decision.Write<>(
        new LogEntry.ObjectDeleted(request.name(), view.nextVersion()),
        new Deleted(true, false, ""));
  }
}
