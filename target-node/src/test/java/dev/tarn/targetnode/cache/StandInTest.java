package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.fixtures.s3.Dialect;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads that a target answers in place of the owner, which may have seen writes meanwhile. */
final class StandInTest {
  private static final byte[] OLD = "old".getBytes(UTF_8);
  private static final byte[] NEW = "the new one".getBytes(UTF_8);

  private final SmallS3 other = SmallS3.start(Dialect.MINIO);
  private BackedNode owner;
  private BackedNode next;

  @BeforeEach
  void start(@TempDir Path folder, @TempDir Path nextFolder) {
    owner = new BackedNode(folder, other, "");
    next = new BackedNode(nextFolder, other, "");
    next.freshness(Freshness.IMMUTABLE);
    value(owner.calls().put("key", OLD));
  }

  @AfterEach
  void close() throws IOException {
    owner.close();
    next.close();
    other.close();
  }

  private Outcome<byte[]> standIn(BackedNode node) {
    return node.call(get(node.scope().answeredBy(Answerer.STAND_IN))).map(Calls::read);
  }

  private static TargetRequest.Get get(CallScope scope) {
    return new TargetRequest.Get(
        scope, ObjectKey.of("key"), Optional.empty(), Selection.WHOLE, Preconditions.NONE);
  }

  private Outcome<ObjectHead> standInHead() {
    return next.call(
        TargetRequest.Head.ofWhole(
            next.scope().answeredBy(Answerer.STAND_IN), ObjectKey.of("key"), Optional.empty()));
  }

  @Test
  void standInReadsWhatTheOwnerHasWrittenSince() {
    assertThat(value(standIn(next))).isEqualTo(OLD);
    value(owner.calls().put("key", NEW));

    assertThat(value(standIn(next))).isEqualTo(NEW);
    value(owner.calls().put("key", OLD));
    assertThat(value(standInHead()).metadata().sizeBytes()).isEqualTo(OLD.length);
  }

  @Test
  void standInDoesNotReadWhatTheOwnerHasDeletedSince() {
    assertThat(value(standIn(next))).isEqualTo(OLD);
    value(owner.calls().delete("key"));

    assertThat(failure(standIn(next))).isInstanceOf(Failure.NoSuchKey.class);
  }

  @Test
  void standInServesNothingWhileTheBackendIsAway() {
    assertThat(value(standIn(next))).isEqualTo(OLD);
    other.close();

    assertThat(next.calls().get("key")).isInstanceOf(Outcome.Success.class);
    assertThat(standIn(next)).isInstanceOf(Outcome.Failed.class);
    assertThat(standInHead()).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void otherReadsDoNotBelieveWhatAStandInKeeps() {
    next.freshness(Freshness.ttl(Duration.ofHours(1)));
    assertThat(value(standIn(next))).isEqualTo(OLD);
    assertThat(value(standIn(next))).isEqualTo(OLD);
    value(owner.calls().put("key", NEW));

    assertThat(value(next.calls().get("key"))).isEqualTo(NEW);
  }

  @Test
  void standInDoesNotJoinALookUpThatBeganBeforeAWrite(@TempDir Path folder) throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    GatedBackend gated = GatedBackend.of(GatedBackend.settings(other));
    gated.hold(0, gate);
    try (BackedNode late = new BackedNode(folder, other, gated)) {
      CompletionStage<Outcome<ObjectRead>> before = late.node().target().call(get(late.scope()));
      gated.awaitHeld();
      value(owner.calls().put("key", NEW));
      gated.release();
      CompletionStage<Outcome<ObjectRead>> standIn =
          late.node().target().call(get(late.scope().answeredBy(Answerer.STAND_IN)));
      gate.countDown();

      assertThat(value(Calls.await(standIn).map(Calls::read))).isEqualTo(NEW);
      assertThat(value(Calls.await(before).map(Calls::read))).isIn(OLD, NEW);
    }
  }

  @Test
  void nobodyStandsInForTheOwnerOfAPrimaryKey(@TempDir Path folder) throws IOException {
    try (TargetNode node =
        TargetNode.open(
            TargetNodeConfig.of(folder),
            new FixedView(
                0,
                0,
                bucket -> FixedView.bucket(bucket, BucketSettings.PRIMARY, Versioning.OFF, 0)),
            Backends.overS3(BackendLimits.DEFAULT, new SimpleMeterRegistry()))) {
      CallScope scope =
          new CallScope(new BucketId(1), 0, 0, CallContext.UNNAMED).answeredBy(Answerer.STAND_IN);

      Outcome<ObjectHead> outcome =
          Calls.await(
              node.target()
                  .call(TargetRequest.Head.ofWhole(scope, ObjectKey.of("key"), Optional.empty())));

      assertThat(failure(outcome)).isInstanceOf(Failure.Unavailable.class);
    }
  }

  private static Failure failure(Outcome<?> outcome) {
    return ((Outcome.Failed<?>) outcome).failure();
  }
}
