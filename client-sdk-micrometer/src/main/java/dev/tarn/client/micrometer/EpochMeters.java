package dev.tarn.client.micrometer;

import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.metrics.EpochMetrics;
import dev.tarn.client.metrics.Stall;
import dev.tarn.client.storage.StorageUrl;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Meters of what a dataset's epochs read and wait for, summed over all epochs, including running
 * ones.
 *
 * <pre>{@code
 * EpochMeters meters = new EpochMeters(Tags.of("dataset", "train"));
 * meters.bindTo(registry);
 * ShardDataset.builder().manifest("s3://data/train").listener(meters).build();
 * }</pre>
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>is</th></tr>
 * <tr><td>tarn.epoch.samples</td><td>samples read</td></tr>
 * <tr><td>tarn.epoch.bytes</td><td>bytes of their members</td></tr>
 * <tr><td>tarn.epoch.time</td><td>seconds, by what passed (tag {@code stall}): fetch, decode,
 * consumer; their sum is the time of all epochs</td></tr>
 * <tr><td>tarn.epoch.queued.bytes</td><td>bytes held now</td></tr>
 * <tr><td>tarn.epoch.queued.parts</td><td>parts of shards that wait to be taken</td></tr>
 * <tr><td>tarn.epoch.origin.reads</td><td>reads that the origin served, because Tarn could not</td></tr>
 * <tr><td>tarn.epoch.ended</td><td>epochs that have ended</td></tr>
 * </table>
 */
public final class EpochMeters implements EpochListener, MeterBinder {
  private final Tags tags;
  private final List<EpochMetrics> running = new ArrayList<>();
  private final Map<Stall, Double> endedSeconds = new EnumMap<>(Stall.class);
  private double endedSamples;
  private double endedBytes;
  private double ended;
  private double originReads;

  /** Meters without tags of their own. */
  public EpochMeters() {
    this(Tags.empty());
  }

  /**
   * Meters with tags.
   *
   * @param tags of every meter, to distinguish the datasets of one registry
   */
  public EpochMeters(Iterable<Tag> tags) {
    this.tags = Tags.of(tags);
  }

  @Override
  public synchronized void begun(EpochMetrics epoch) {
    running.add(epoch);
  }

  @Override
  public synchronized void ended(EpochMetrics epoch) {
    running.remove(epoch);
    for (Stall stall : Stall.values()) {
      endedSeconds.merge(stall, seconds(epoch, stall), Double::sum);
    }
    endedSamples += epoch.samples();
    endedBytes += epoch.bytes();
    ended++;
  }

  @Override
  public synchronized void originRead(StorageUrl url) {
    originReads++;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter("tarn.epoch.samples", EpochMeters::samples, "samples", "Samples read")
        .register(registry);
    counter("tarn.epoch.bytes", EpochMeters::bytes, BaseUnits.BYTES, "Bytes of samples' members")
        .register(registry);
    counter("tarn.epoch.ended", EpochMeters::endedEpochs, "epochs", "Epochs that have ended")
        .register(registry);
    counter(
            "tarn.epoch.origin.reads",
            EpochMeters::originReads,
            "reads",
            "Reads that the origin served, because Tarn could not")
        .register(registry);
    for (Stall stall : Stall.values()) {
      counter(
              "tarn.epoch.time",
              meters -> meters.seconds(stall),
              "seconds",
              "Time of epochs, by what passed")
          .tag("stall", stall.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    Gauge.builder("tarn.epoch.queued.bytes", this, meters -> meters.now(EpochMetrics::queuedBytes))
        .tags(tags)
        .baseUnit(BaseUnits.BYTES)
        .description("Bytes that are fetched or being fetched and not let go of")
        .register(registry);
    Gauge.builder("tarn.epoch.queued.parts", this, meters -> meters.now(EpochMetrics::queuedParts))
        .tags(tags)
        .baseUnit("parts")
        .description("Parts of shards that were not taken yet")
        .register(registry);
  }

  private FunctionCounter.Builder<EpochMeters> counter(
      String name, ToDoubleFunction<EpochMeters> value, String unit, String description) {
    return FunctionCounter.builder(name, this, value)
        .tags(tags)
        .baseUnit(unit)
        .description(description);
  }

  private synchronized double samples() {
    return endedSamples + now(EpochMetrics::samples);
  }

  private synchronized double bytes() {
    return endedBytes + now(EpochMetrics::bytes);
  }

  private synchronized double endedEpochs() {
    return ended;
  }

  private synchronized double originReads() {
    return originReads;
  }

  private synchronized double seconds(Stall stall) {
    return endedSeconds.getOrDefault(stall, 0.0) + now(epoch -> seconds(epoch, stall));
  }

  private synchronized double now(ToDoubleFunction<EpochMetrics> value) {
    return running.stream().mapToDouble(value).sum();
  }

  private static double seconds(EpochMetrics epoch, Stall stall) {
    return epoch.stalled(stall).toNanos() / 1e9;
  }
}
