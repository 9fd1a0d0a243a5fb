package dev.tarn.client;

import dev.tarn.client.internal.stage.Item;
import dev.tarn.client.internal.stage.Stage;
import org.jspecify.annotations.Nullable;

/** The last stage before the consumer: measures who waits for whom. */
final class MeteredStage<T> implements Stage<T> {
  private final Stage<T> stage;
  private final EpochMeter meter;

  MeteredStage(Stage<T> stage, EpochMeter meter) {
    this.stage = stage;
    this.meter = meter;
  }

  @Override
  public @Nullable Item<T> next() {
    meter.enter();
    try {
      return stage.next();
    } finally {
      meter.leave();
    }
  }

  @Override
  public void close() {
    stage.close();
    meter.end();
  }
}
