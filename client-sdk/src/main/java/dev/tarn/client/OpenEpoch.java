package dev.tarn.client;

import dev.tarn.client.Loader.Stages;
import dev.tarn.client.internal.stage.Stage;
import dev.tarn.client.internal.stage.StageSettings;
import java.util.Optional;

/**
 * An epoch that is being read.
 *
 * @param samples as they come
 * @param delivery what counts them, if they have numbers
 * @param report of those that are skipped
 * @param meter what measures it, if somebody wants to know
 * @param budgetBytes bound of the memory that they take
 */
record OpenEpoch(
    SampleStage samples,
    Optional<Delivery> delivery,
    DamageReport report,
    Optional<EpochMeter> meter,
    long budgetBytes) {
  /** What a stage may keep from being fetched ahead. */
  private static final int HELD_OF_BUDGET = 4;

  /** What becomes of its samples, for a consumer. */
  <T> ResumableIterator<T> through(Stages<T> stages) {
    StageSettings settings =
        new StageSettings(budgetBytes / HELD_OF_BUDGET, budgetBytes, report::isSkipped);
    boolean begun = false;
    try {
      Stage<T> stage = stages.on(counted(), settings);
      begun = true;
      return new EpochIterator<>(metered(stage), delivery, report);
    } finally {
      if (!begun) {
        metered(counted()).close();
      }
    }
  }

  /** Its samples, for a consumer. */
  Samples iterator() {
    return new Samples(this);
  }

  private Stage<Sample> counted() {
    return meter.isPresent() ? new CountedStage(samples, meter.orElseThrow()) : samples;
  }

  private <T> Stage<T> metered(Stage<T> stage) {
    return meter.isPresent() ? new MeteredStage<>(stage, meter.orElseThrow()) : stage;
  }

  /** Hands out samples as they come. */
  static final class Samples extends EpochIterator<Sample> implements SampleIterator {
    private final SampleStage samples;

    private Samples(OpenEpoch epoch) {
      super(epoch.metered(epoch.counted()), epoch.delivery(), epoch.report());
      this.samples = epoch.samples();
    }

    /** The bytes that it holds now. */
    long usedBytes() {
      return samples.usedBytes();
    }
  }
}
