package dev.tarn.targetnode.membership;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.Head;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class CallJudgeTest {
  private static final BucketId BUCKET = new BucketId(1);
  private static final Bucket KNOWN =
      FixedView.bucket(BUCKET, BucketSettings.PRIMARY, Versioning.ENABLED, 7);
  private final CallJudge judge = new CallJudge(new FixedView(3, 7, bucket -> KNOWN));

  private static Head head(long settingsVersion, long mapEpoch) {
    return Head.ofWhole(
        new CallScope(BUCKET, settingsVersion, mapEpoch, CallContext.UNNAMED),
        ObjectKey.of("key"),
        Optional.empty());
  }

  @Test
  void callMadeUnderAnOlderMapIsToldTheEpoch() {
    assertThat(judge.decide(head(7, 2))).isEqualTo(Outcome.failed(new Failure.StaleMap(3)));
  }

  @Test
  void callMadeUnderNewerSettingsIsToldWhichAreKnown() {
    assertThat(judge.decide(head(8, 3))).isEqualTo(Outcome.failed(new Failure.UnknownSettings(7)));
  }

  @Test
  void callMadeUnderWhatIsKnownOrANewerMapEnters() {
    assertThat(judge.decide(head(7, 3))).isEqualTo(Outcome.success(KNOWN));
    assertThat(judge.decide(head(6, 4))).isEqualTo(Outcome.success(KNOWN));
  }

  @Test
  void copyWhoseSourceIsInABucketWithNewerSettingsIsToldWhichAreKnown() {
    assertThat(judge.decide(copyFrom(8))).isEqualTo(Outcome.failed(new Failure.UnknownSettings(7)));
    assertThat(judge.decide(copyFrom(7))).isEqualTo(Outcome.success(KNOWN));
  }

  private static Copy copyFrom(long settingsVersion) {
    return new Copy(
        new CallScope(BUCKET, 7, 3, CallContext.UNNAMED),
        ObjectKey.of("to"),
        new CopySource(
            new CallScope(new BucketId(2), settingsVersion, 3, CallContext.UNNAMED),
            ObjectKey.of("from"),
            Optional.empty(),
            Preconditions.NONE),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Set.of(),
        Preconditions.NONE);
  }

  @Test
  void targetThatDoesNotServeRefusesEachCall() {
    Failure refusal = new Failure.Unavailable("not in the map");
    FixedView view = new FixedView(3, 7, bucket -> KNOWN, Optional.of(refusal));

    assertThat(new CallJudge(view).decide(head(7, 3))).isEqualTo(Outcome.failed(refusal));
  }

  @Test
  void targetThatDoesNotServeAsksForANewerMapBeforeItRefuses() {
    assertThat(new CallJudge(new Returning()).admit(head(7, 3)).toCompletableFuture().join())
        .isEqualTo(Outcome.success(KNOWN));
  }

  /** The view of a target that is in service again, and does not know it yet. */
  private static final class Returning implements ClusterView {
    private boolean isInService;

    @Override
    public long mapEpoch() {
      return 3;
    }

    @Override
    public long settingsVersion() {
      return 7;
    }

    @Override
    public Bucket bucket(BucketId id) {
      return KNOWN;
    }

    @Override
    public boolean isDeleted(BucketId id) {
      return false;
    }

    @Override
    public Optional<Failure> refusal() {
      return isInService
          ? Optional.empty()
          : Optional.of(new Failure.Unavailable("out of service"));
    }

    @Override
    public CompletionStage<Boolean> refresh() {
      isInService = true;
      return completedFuture(true);
    }
  }
}
