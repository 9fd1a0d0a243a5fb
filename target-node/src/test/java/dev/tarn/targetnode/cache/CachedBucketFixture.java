package dev.tarn.targetnode.cache;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.BucketSettings.Verify;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.backend.BackendLimits;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.backend.OtherS3;
import dev.tarn.targetnode.backend.S3Backend;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.membership.FixedView;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A node with a bucket whose objects are another S3's. */
abstract class CachedBucketFixture {
  static final BucketId BUCKET = new BucketId(1);
  static final int UNIT = 8 << 20;

  private static @Nullable OtherS3 other;

  private final BackendSettings settings = requireNonNull(other).newBucket("data/");
  final GatedBackend backend = new GatedBackend(S3Backend.open(settings, BackendLimits.DEFAULT));
  final Path folder;
  final TargetNode node;
  final Calls calls;
  Freshness freshness = Freshness.REVALIDATE;
  Verify verify = Verify.SCRUB;

  CachedBucketFixture(@TempDir Path folder) throws IOException {
    this.folder = folder;
    node =
        TargetNode.open(
            TargetNodeConfig.of(folder),
            new FixedView(
                0, 0, bucket -> FixedView.bucket(bucket, bucketSettings(), Versioning.OFF, 0)),
            new Backends(any -> backend));
    calls = new Calls(node.target(), BUCKET);
  }

  private BucketSettings bucketSettings() {
    return BucketSettings.PRIMARY
        .with(Durability.OS)
        .with(verify)
        .withBackend(Optional.of(settings))
        .with(freshness);
  }

  @BeforeAll
  static void startOther() {
    other = OtherS3.start();
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  @AfterAll
  static void stopOther() throws IOException {
    requireNonNull(other).close();
  }

  /** Puts an object of random bytes into the backend, behind the cache's back. */
  byte[] there(String key, int length) {
    byte[] bytes = bytes(length);
    backend.put(
        ObjectKey.of(key),
        ObjectAttributes.NONE,
        new ByteArrayInputStream(bytes),
        length,
        Preconditions.NONE);
    return bytes;
  }

  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  static TargetRequest.Get get(String key) {
    return get(key, Selection.WHOLE, false);
  }

  static TargetRequest.Get get(String key, Selection selection, boolean verified) {
    return new TargetRequest.Get(
        new CallScope(BUCKET, 0, 0, CallContext.UNNAMED),
        ObjectKey.of(key),
        Optional.empty(),
        selection,
        Preconditions.NONE,
        verified);
  }
}
