package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.admin.BucketContents;
import java.util.concurrent.CompletionStage;

/** Looks whether a bucket holds anything by listing its first key. */
record ListedContents(ObjectTarget target) implements BucketContents {
  ListedContents {
    requireNonNull(target, "target is null");
  }

  @Override
  public CompletionStage<Boolean> isEmpty(Bucket bucket) {
    CallScope scope = new CallScope(bucket.id(), bucket.settingsVersion(), 1);
    return target
        .listObjects(new TargetRequest.ListObjects(scope, "", "", "", 1))
        .thenApply(ListedContents::isEmpty);
  }

  private static boolean isEmpty(Outcome<ListPage> outcome) {
    return switch (outcome) {
      case Outcome.Success<ListPage>(ListPage page) -> page.entries().isEmpty();
      case Outcome.Failed<ListPage> failed ->
          throw new IllegalStateException("listing failed: " + failed.failure().message());
    };
  }
}
