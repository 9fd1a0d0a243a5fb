package dev.tarn.targetnode;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.object.BucketId;
import org.jspecify.annotations.Nullable;

/** Where a target learns what it goes by in a bucket. Never blocks. */
@FunctionalInterface
public interface BucketSettingsSource {
  /** What is known of a bucket now. */
  Known find(BucketId bucket);

  /**
   * What is known of a bucket.
   *
   * @param version up to which changes to any bucket's settings are known
   * @param rules null if there is no such bucket as of that version
   */
  record Known(long version, @Nullable BucketRules rules) {}

  /** What the control plane has, as far as it is known here. */
  static BucketSettingsSource of(ControlPlane controlPlane) {
    return id -> {
      ControlState state = controlPlane.state();
      Bucket bucket = state.bucket(id);
      return new Known(state.version(), bucket == null ? null : BucketRules.of(bucket));
    };
  }
}
