package dev.tarn.client;

import dev.tarn.client.Loader.Stages;
import dev.tarn.client.internal.stage.Stage;
import dev.tarn.client.internal.stage.StageSettings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An epoch that is being read.
 *
 * @param samples the first stage
 * @param delivery counts the samples, if they have numbers
 * @param report collects what is skipped
 * @param meter measures the epoch, if there is a listener
 * @param budgetBytes bound of the memory that the epoch's samples take
 */
record OpenEpoch(
    SampleStage samples,
    Optional<Delivery> delivery,
    DamageReport report,
    @Nullable EpochMeter meter,
    long budgetBytes) {
  /** A stage may retain this part of the budget. */
  private static final int RETAINED_OF_BUDGET = 4;

  /** Iterates over what the stages make of the samples. */
  <T> ResumableIterator<T> through(Stages<T> stages) {
    StageSettings settings =
        new StageSettings(budgetBytes / RETAINED_OF_BUDGET, budgetBytes, report::isSkipped);
    boolean begun = false;
    try {
      Stage<T> stage = stages.on(samples, settings);
      begun = true;
      return new EpochIterator<>(stage, delivery, report, meter);
    } finally {
      if (!begun) {
        iterator().close();
      }
    }
  }

  /** Iterates over the samples. */
  Samples iterator() {
    return new Samples(this);
  }

  /** The samples of an epoch without further stages. */
  static final class Samples extends EpochIterator<Sample> implements SampleIterator {
    private final SampleStage samples;

    private Samples(OpenEpoch epoch) {
      super(epoch.samples(), epoch.delivery(), epoch.report(), epoch.meter());
      this.samples = epoch.samples();
    }

    /** How many bytes of the budget are used now. */
    long usedBytes() {
      return samples.usedBytes();
    }
  }
}
