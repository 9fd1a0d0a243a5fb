package dev.tarn.targetnode.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.BucketRules;
import dev.tarn.targetnode.BucketSettingsSource;
import org.junit.jupiter.api.Test;

final class CallGateTest {
  private static final BucketId BUCKET = new BucketId(1);
  private static final BucketRules RULES =
      new BucketRules(BucketSettings.PRIMARY, Versioning.ENABLED);
  private final CallGate gate =
      new CallGate(bucket -> new BucketSettingsSource.Known(7, RULES), () -> 3);

  @Test
  void callMadeUnderAnOlderMapIsToldTheEpoch() {
    assertThat(gate.enter(new CallScope(BUCKET, 7, 2)))
        .isEqualTo(Outcome.failed(new Failure.StaleMap(3)));
  }

  @Test
  void callMadeUnderNewerSettingsIsToldWhichAreKnown() {
    assertThat(gate.enter(new CallScope(BUCKET, 8, 3)))
        .isEqualTo(Outcome.failed(new Failure.UnknownSettings(7)));
  }

  @Test
  void callMadeUnderWhatIsKnownOrANewerMapEnters() {
    assertThat(gate.enter(new CallScope(BUCKET, 7, 3))).isEqualTo(Outcome.success(RULES));
    assertThat(gate.enter(new CallScope(BUCKET, 6, 4))).isEqualTo(Outcome.success(RULES));
  }
}
