package dev.tarn.targetnode.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import org.junit.jupiter.api.Test;

final class CallJudgeTest {
  private static final BucketId BUCKET = new BucketId(1);
  private static final Bucket KNOWN =
      FixedView.bucket(BUCKET, BucketSettings.PRIMARY, Versioning.ENABLED, 7);
  private final CallJudge judge = new CallJudge(new FixedView(3, 7, bucket -> KNOWN));

  @Test
  void callMadeUnderAnOlderMapIsToldTheEpoch() {
    assertThat(judge.enter(new CallScope(BUCKET, 7, 2, CallContext.UNNAMED)))
        .isEqualTo(Outcome.failed(new Failure.StaleMap(3)));
  }

  @Test
  void callMadeUnderNewerSettingsIsToldWhichAreKnown() {
    assertThat(judge.enter(new CallScope(BUCKET, 8, 3, CallContext.UNNAMED)))
        .isEqualTo(Outcome.failed(new Failure.UnknownSettings(7)));
  }

  @Test
  void callMadeUnderWhatIsKnownOrANewerMapEnters() {
    assertThat(judge.enter(new CallScope(BUCKET, 7, 3, CallContext.UNNAMED)))
        .isEqualTo(Outcome.success(KNOWN));
    assertThat(judge.enter(new CallScope(BUCKET, 6, 4, CallContext.UNNAMED)))
        .isEqualTo(Outcome.success(KNOWN));
  }
}
