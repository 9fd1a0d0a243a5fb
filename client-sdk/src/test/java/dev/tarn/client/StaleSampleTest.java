package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.loader.LastBatch;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples that are kept longer than they are valid. */
final class StaleSampleTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int SAMPLES = 60;

  private final MemoryStorage storage = new MemoryStorage();

  @BeforeEach
  void pack() throws IOException {
    Shards.dataset(storage, FOLDER, 3, SAMPLES / 3, 5000);
  }

  private DatasetBuilder builder(String shuffle) {
    return ShardDataset.builder()
        .storage(storage)
        .manifest(FOLDER.toString())
        .rank(0, 1)
        .shuffle(shuffle.equals("none") ? Shuffle.NONE : Shuffle.blocks(20_000))
        .memoryBudget(256 << 10);
  }

  private static void assertStale(ThrowingCallable access) {
    assertThatThrownBy(access)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is no longer valid");
  }

  private static void assertStale(Sample sample) {
    for (String extension : sample.extensions()) {
      assertStale(() -> sample.get(extension));
      assertStale(() -> sample.bytes(extension));
      assertStale(() -> sample.decode(extension));
      assertStale(() -> sample.decode(extension, String.class));
    }
    assertStale(sample::copy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "blocks"})
  void sampleOfAnEarlierStepThrows(String shuffle) throws IOException {
    List<Sample> kept = new ArrayList<>();
    try (ShardDataset dataset = builder(shuffle).build()) {
      try (SampleIterator samples = dataset.iterate(0)) {
        samples.forEachRemaining(kept::add);
        assertThat(kept).hasSize(SAMPLES);
        kept.subList(0, SAMPLES - 1).forEach(StaleSampleTest::assertStale);
      }
      assertStale(kept.get(SAMPLES - 1));
    }
  }

  @Test
  void staleSampleStillTellsWhatItWas() throws IOException {
    try (ShardDataset dataset = builder("none").build();
        SampleIterator samples = dataset.iterate(0)) {
      Sample first = samples.next();
      String described = first.toString();
      long size = first.size();
      samples.next();
      assertThat(first).hasToString(described);
      assertThat(first.size()).isEqualTo(size);
      assertThat(first.has(first.extensions().get(0))).isTrue();
    }
  }

  @Test
  void copiesAndStreamedSamplesStay() throws IOException {
    try (ShardDataset dataset = builder("blocks").build()) {
      Map<String, byte[]> expected = new LinkedHashMap<>();
      List<Sample> copies = new ArrayList<>();
      try (SampleIterator samples = dataset.iterate(0)) {
        for (Sample sample : samples) {
          expected.put(sample.key(), sample.bytes("bin"));
          copies.add(sample.copy());
        }
      }
      List<Sample> streamed = dataset.stream().toList();
      assertThat(copies).hasSize(SAMPLES);
      assertThat(streamed).hasSize(SAMPLES);
      for (List<Sample> kept : List.of(copies, streamed)) {
        assertThat(kept)
            .allSatisfy(
                sample -> assertThat(sample.bytes("bin")).isEqualTo(expected.get(sample.key())));
      }
    }
  }

  @Test
  void samplesOfABatchAreStaleOnceItIsMade() throws IOException {
    try (ShardDataset dataset = builder("blocks").build();
        ResumableIterator<List<Sample>> batches =
            dataset.loader().batch(10, LastBatch.KEEP, List::copyOf).iterate()) {
      batches.next().forEach(StaleSampleTest::assertStale);
    }
  }
}
