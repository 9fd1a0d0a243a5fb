package dev.tarn.targetnode.cache;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.CacheRules;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.backend.BackendLimits;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.membership.FixedView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A target node with one bucket, whose backend is a small S3. */
final class BackedNode implements AutoCloseable {
  private static final BucketId BUCKET = new BucketId(1);

  private final BackendSettings backend;
  private final TargetNode node;
  private volatile Freshness freshness = Freshness.REVALIDATE;
  private volatile CacheRules rules = CacheRules.NONE;

  /**
   * Opens the node.
   *
   * @param prefix of the bucket's keys at the backend
   */
  BackedNode(Path folder, SmallS3 other, String prefix) {
    this(
        folder,
        other,
        prefix,
        Backends.overS3(
            new BackendLimits(256, Duration.ofSeconds(5), Duration.ofSeconds(30), 1),
            new SimpleMeterRegistry()));
  }

  /** Opens the node with a backend that a test stops. */
  BackedNode(Path folder, SmallS3 other, GatedBackend gated) {
    this(folder, other, "", new Backends(settings -> gated));
  }

  private BackedNode(Path folder, SmallS3 other, String prefix, Backends backends) {
    backend =
        new BackendSettings(
            Optional.of(other.endpoint()), "us-east-1", SmallS3.BUCKET, prefix, "id", "secret");
    try {
      node =
          TargetNode.open(
              TargetNodeConfig.of(folder),
              new FixedView(
                  0, 0, bucket -> FixedView.bucket(bucket, settings(), Versioning.OFF, 0)),
              backends);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private BucketSettings settings() {
    return BucketSettings.PRIMARY
        .with(Durability.OS)
        .withBackend(Optional.of(backend))
        .with(freshness)
        .with(rules);
  }

  void rules(CacheRules given) {
    rules = given;
  }

  void freshness(Freshness given) {
    freshness = given;
  }

  TargetNode node() {
    return node;
  }

  Calls calls() {
    return new Calls(node.target(), BUCKET);
  }

  CallScope scope() {
    return new CallScope(BUCKET, 0, 0, CallContext.UNNAMED);
  }

  <R> Outcome<R> call(TargetRequest<R> request) {
    return Calls.await(node.target().call(request));
  }

  Outcome<ObjectHead> head(String key) {
    return call(TargetRequest.Head.ofWhole(scope(), ObjectKey.of(key), Optional.empty()));
  }

  Outcome<ObjectHead> head(String key, Selection selection) {
    return call(
        new TargetRequest.Head(
            scope(), ObjectKey.of(key), Optional.empty(), selection, Preconditions.NONE));
  }

  Outcome<ObjectHead> tags(String key) {
    return call(TargetRequest.Head.ofTags(scope(), ObjectKey.of(key), Optional.empty()));
  }

  Outcome<ListPage> list(String prefix, String delimiter, String after, int entriesMax) {
    return call(new ListRequest.ListObjects(scope(), prefix, delimiter, after, entriesMax));
  }

  @Override
  public void close() throws IOException {
    node.close();
  }
}
