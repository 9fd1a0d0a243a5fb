package dev.tarn.client;

import dev.tarn.client.internal.stage.Item;
import dev.tarn.client.internal.stage.Stage;
import org.jspecify.annotations.Nullable;

/** Counts samples where they are read, in whatever thread that is. */
final class CountedStage implements Stage<Sample> {
  private final Stage<Sample> samples;
  private final EpochMeter meter;

  CountedStage(Stage<Sample> samples, EpochMeter meter) {
    this.samples = samples;
    this.meter = meter;
  }

  @Override
  public @Nullable Item<Sample> next() {
    Item<Sample> item = samples.next();
    Sample sample = item == null ? null : item.value();
    if (sample != null) {
      meter.read(sample.size());
    }
    return item;
  }

  @Override
  public void close() {
    samples.close();
  }
}
