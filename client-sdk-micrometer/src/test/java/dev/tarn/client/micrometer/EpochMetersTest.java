package dev.tarn.client.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.write.ShardWriter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EpochMetersTest {
  private static final String FOLDER = "memory://test/data";
  private static final int SAMPLES = 10;

  private final MemoryStorage storage = new MemoryStorage();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @BeforeEach
  void write() throws IOException {
    try (ShardWriter writer = ShardWriter.builder(FOLDER).storage(storage).build()) {
      for (int i = 0; i < SAMPLES; i++) {
        writer.write("k" + i, Map.of("txt", "12345".getBytes(UTF_8)));
      }
      writer.commit();
    }
  }

  private double counted(String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  @Test
  void epochsAreCountedWhileTheyRunAndAfter() throws IOException {
    EpochMeters meters = new EpochMeters(Tags.of("dataset", "train"));
    meters.bindTo(registry);
    try (ShardDataset dataset =
        ShardDataset.builder().storage(storage).manifest(FOLDER).listener(meters).build()) {
      try (SampleIterator samples = dataset.iterate(0)) {
        samples.next();
        assertThat(counted("tarn.epoch.samples", "dataset", "train")).isEqualTo(1);
        assertThat(counted("tarn.epoch.ended")).isZero();
        assertThat(registry.get("tarn.epoch.queued.bytes").gauge().value()).isPositive();
      }
      try (SampleIterator samples = dataset.iterate(1)) {
        samples.forEachRemaining(sample -> {});
      }
    }
    assertThat(counted("tarn.epoch.samples")).isEqualTo(SAMPLES + 1);
    assertThat(counted("tarn.epoch.bytes")).isEqualTo(5 * (SAMPLES + 1));
    assertThat(counted("tarn.epoch.ended")).isEqualTo(2);
    assertThat(registry.get("tarn.epoch.queued.bytes").gauge().value()).isZero();
    for (String stall : new String[] {"fetch", "decode", "consumer"}) {
      assertThat(counted("tarn.epoch.time", "stall", stall)).isNotNegative();
    }
    meters.originRead(StorageUrl.parse(FOLDER));
    assertThat(counted("tarn.epoch.origin.reads")).isEqualTo(1);
    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .allMatch(id -> "train".equals(id.getTag("dataset")));
  }
}
