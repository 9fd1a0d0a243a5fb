package dev.tarn.targetnode.local;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.BucketRules;
import dev.tarn.targetnode.BucketSettingsSource;
import java.util.function.LongSupplier;

/** Lets a call in if caller and target know enough of each other's world. */
public final class CallGate {
  private final BucketSettingsSource settings;
  private final LongSupplier mapEpoch;

  /**
   * A gate.
   *
   * @param mapEpoch the epoch of the newest cluster map
   */
  public CallGate(BucketSettingsSource settings, LongSupplier mapEpoch) {
    this.settings = settings;
    this.mapEpoch = mapEpoch;
  }

  /** The rules to act by, or why the call must be made again. */
  public Outcome<BucketRules> enter(CallScope scope) {
    long epoch = mapEpoch.getAsLong();
    if (scope.mapEpoch() < epoch) {
      return Outcome.failed(new Failure.StaleMap(epoch));
    }
    BucketSettingsSource.Known known = settings.find(scope.bucket());
    BucketRules found = known.rules();
    return found == null || known.version() < scope.settingsVersion()
        ? Outcome.failed(new Failure.UnknownSettings(known.version()))
        : Outcome.success(found);
  }

  /**
   * What a bucket does with earlier versions now, which may have changed since a call was let in.
   */
  Outcome<Versioning> versioning(BucketId bucket) {
    BucketSettingsSource.Known known = settings.find(bucket);
    BucketRules found = known.rules();
    return found == null
        ? Outcome.failed(new Failure.UnknownSettings(known.version()))
        : Outcome.success(found.versioning());
  }
}
