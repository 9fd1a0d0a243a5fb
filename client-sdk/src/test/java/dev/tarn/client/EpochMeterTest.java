package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.EpochMeter.Queue;
import dev.tarn.client.loader.LastBatch;
import dev.tarn.client.loader.MapOrder;
import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.metrics.EpochMetrics;
import dev.tarn.client.metrics.Stall;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EpochMeterTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://test/data");
  private static final int SHARDS = 3;
  private static final int SAMPLES = 40;

  private final MemoryStorage storage = new MemoryStorage();
  private final List<EpochMetrics> begun = new ArrayList<>();
  private final List<EpochMetrics> ended = new ArrayList<>();

  /** Nanoseconds that pass when the test says so. */
  private long now;

  private long waited;

  private final EpochListener listener =
      new EpochListener() {
        @Override
        public void begun(EpochMetrics epoch) {
          begun.add(epoch);
        }

        @Override
        public void ended(EpochMetrics epoch) {
          ended.add(epoch);
        }
      };

  private ShardDataset dataset() throws IOException {
    Shards.dataset(storage, FOLDER, SHARDS, SAMPLES, 1_000);
    return ShardDataset.builder()
        .storage(storage)
        .manifest(FOLDER.toString())
        .listener(listener)
        .build();
  }

  @Test
  void timeIsCutAtTheConsumersCalls() {
    Queue queue = new Queue(() -> waited, () -> 5, () -> 2);
    EpochMeter meter = new EpochMeter(7, OptionalLong.of(9), queue, List.of(listener), () -> now);
    now = 100;
    meter.enter();
    now = 150;
    assertThat(meter.stalled(Stall.CONSUMER)).as("in a call").isEqualTo(Duration.ofNanos(100));
    waited = 30;
    meter.leave();
    now = 1_000;
    assertThat(meter.stalled(Stall.FETCH)).isEqualTo(Duration.ofNanos(30));
    assertThat(meter.stalled(Stall.DECODE)).isEqualTo(Duration.ofNanos(20));
    assertThat(meter.stalled(Stall.CONSUMER)).isEqualTo(Duration.ofNanos(950));
    assertThat(meter.elapsed()).isEqualTo(Duration.ofNanos(1_000));
    assertThat(meter.queuedBytes()).isEqualTo(5);
    assertThat(meter.queuedParts()).isEqualTo(2);
  }

  @Test
  void listenerThatThrowsKeepsNoOtherFromBeingTold() {
    EpochListener broken =
        new EpochListener() {
          @Override
          public void ended(EpochMetrics epoch) {
            throw new IllegalStateException("broken");
          }
        };
    Queue queue = new Queue(() -> 0, () -> 0, () -> 0);
    EpochMeter meter =
        new EpochMeter(0, OptionalLong.empty(), queue, List.of(broken, listener), () -> now);
    assertThatThrownBy(meter::end).hasMessage("broken");
    assertThat(ended).containsExactly(meter);
  }

  @Test
  void listenerThatRefusesTheBeginningLeavesNoOtherInTheMiddle() throws IOException {
    Shards.dataset(storage, FOLDER, SHARDS, SAMPLES, 1_000);
    EpochListener refusing =
        new EpochListener() {
          @Override
          public void begun(EpochMetrics epoch) {
            throw new IllegalStateException("refused");
          }

          @Override
          public void ended(EpochMetrics epoch) {
            throw new AssertionError("was told of the end of what it refused");
          }
        };
    EpochListener broken =
        new EpochListener() {
          @Override
          public void ended(EpochMetrics epoch) {
            throw new IllegalStateException("broken");
          }
        };
    List<EpochMetrics> last = new ArrayList<>();
    try (ShardDataset dataset =
        ShardDataset.builder()
            .storage(storage)
            .manifest(FOLDER.toString())
            .listener(broken)
            .listener(listener)
            .listener(refusing)
            .listener(
                new EpochListener() {
                  @Override
                  public void begun(EpochMetrics epoch) {
                    last.add(epoch);
                  }
                })
            .build()) {
      assertThatThrownBy(dataset::iterate)
          .hasMessage("refused")
          .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }
    assertThat(begun).hasSize(1);
    assertThat(ended).isEqualTo(begun);
    assertThat(ended.get(0).isEnded()).isTrue();
    assertThat(last).isEmpty();
  }

  @Test
  void whatAnotherThreadWaitedBeforeTheCallIsNotTheConsumersWait() {
    Queue queue = new Queue(() -> waited, () -> 0, () -> 0);
    EpochMeter meter = new EpochMeter(0, OptionalLong.empty(), queue, List.of(), () -> now);
    meter.enter();
    now = 10;
    waited = 500;
    meter.leave();
    assertThat(meter.stalled(Stall.FETCH)).isEqualTo(Duration.ofNanos(10));
    assertThat(meter.stalled(Stall.DECODE)).isZero();
  }

  @Test
  void epochIsCountedAndItsPartsAddUp() throws IOException {
    long bytes = 0;
    try (ShardDataset dataset = dataset();
        SampleIterator samples = dataset.iterate(3)) {
      assertThat(begun).hasSize(1);
      EpochMetrics epoch = begun.get(0);
      assertThat(epoch.epoch()).isEqualTo(3);
      assertThat(epoch.samplesExpected()).hasValue(SHARDS * SAMPLES);
      assertThat(epoch.isEnded()).isFalse();
      while (samples.hasNext()) {
        bytes += samples.next().size();
      }
      assertThat(ended).containsExactly(epoch);
      assertThat(epoch.isEnded()).isTrue();
      assertThat(epoch.samples()).isEqualTo(SHARDS * SAMPLES);
      assertThat(epoch.bytes()).isEqualTo(bytes);
      Duration parts =
          epoch
              .stalled(Stall.FETCH)
              .plus(epoch.stalled(Stall.DECODE))
              .plus(epoch.stalled(Stall.CONSUMER));
      assertThat(parts).isEqualTo(epoch.elapsed());
    }
    assertThat(ended).hasSize(1);
  }

  @Test
  void resumedEpochExpectsWhatIsLeft() throws IOException {
    try (ShardDataset dataset = dataset()) {
      Checkpoint checkpoint;
      try (SampleIterator samples = dataset.iterate(0)) {
        samples.next();
        checkpoint = samples.checkpoint();
      }
      assertThat(ended).as("closed in the middle").hasSize(1);
      try (SampleIterator samples = dataset.resume(checkpoint)) {
        assertThat(begun.get(1).samplesExpected()).hasValue(SHARDS * SAMPLES - 1);
        samples.next();
      }
    }
  }

  @Test
  void samplesAreCountedBehindALoaderToo() throws IOException {
    try (ShardDataset dataset = dataset();
        ResumableIterator<Integer> batches =
            dataset
                .loader()
                .map(2, MapOrder.ORDERED, Sample::key)
                .batch(10, LastBatch.KEEP, List::size)
                .iterate()) {
      int samples = 0;
      while (batches.hasNext()) {
        samples += batches.next();
      }
      assertThat(samples).isEqualTo(SHARDS * SAMPLES);
      assertThat(ended).hasSize(1);
      assertThat(ended.get(0).samples()).isEqualTo(SHARDS * SAMPLES);
    }
  }
}
