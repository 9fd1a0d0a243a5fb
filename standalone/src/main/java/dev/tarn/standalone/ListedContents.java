package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.gateway.admin.BucketContents;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Finds out whether a bucket is empty by listing at most one version. */
record ListedContents(ObjectTarget target) implements BucketContents {
  ListedContents {
    requireNonNull(target, "target is null");
  }

  @Override
  public CompletionStage<Boolean> isEmpty(Bucket bucket) {
    CallContext context = CallContext.foreground("empty-" + bucket.name(), Optional.empty());
    CallScope scope = new CallScope(bucket.id(), bucket.settingsVersion(), 1, context);
    return target
        .call(new TargetRequest.ListVersions(scope, "", "", "", "", 1))
        .thenApply(ListedContents::isEmpty);
  }

  private static boolean isEmpty(Outcome<VersionPage> outcome) {
    return switch (outcome) {
      case Outcome.Success<VersionPage>(VersionPage page) -> page.entries().isEmpty();
      case Outcome.Failed<VersionPage> failed ->
          throw new IllegalStateException("listing failed: " + failed.failure().message());
    };
  }
}
