package dev.tarn.client.djl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Record;
import dev.tarn.client.Checkpoint;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.write.ShardWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "the natives of the build")
class ShardBatchesTest {
  private static final String FOLDER = "memory://test/data";
  private static final int SAMPLES = 50;

  private static final SampleConverter CONVERTER =
      (manager, sample) -> {
        int number = sample.decode("cls", int.class);
        return new Record(
            new NDList(manager.create(new float[] {number, -number})),
            new NDList(manager.create(number)));
      };

  private final MemoryStorage storage = new MemoryStorage();
  private final NDManager manager = NDManager.newBaseManager();

  @BeforeEach
  void write() throws IOException {
    try (ShardWriter writer = ShardWriter.builder(FOLDER).storage(storage).samplesMax(20).build()) {
      for (int i = 0; i < SAMPLES; i++) {
        writer.write("%03d".formatted(i), Map.of("cls", Integer.toString(i).getBytes(UTF_8)));
      }
      writer.commit();
    }
  }

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private ShardDataset dataset(Shuffle shuffle) throws IOException {
    return ShardDataset.builder().storage(storage).manifest(FOLDER).shuffle(shuffle).build();
  }

  private static List<Integer> take(Iterator<Batch> batches, int count) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count && batches.hasNext(); i++) {
      try (Batch batch = batches.next()) {
        assertThat(batch.getData().get(0).getShape().getShape())
            .containsExactly(batch.getSize(), 2);
        for (int number : batch.getLabels().get(0).toIntArray()) {
          numbers.add(number);
        }
      }
    }
    return numbers;
  }

  private List<Integer> pass(ShardBatches batches) {
    return take(batches.getData(manager).iterator(), Integer.MAX_VALUE);
  }

  private static List<Integer> all() {
    return IntStream.range(0, SAMPLES).boxed().toList();
  }

  @Test
  void passGivesEverySampleInBatches() throws IOException {
    try (ShardDataset dataset = dataset(Shuffle.NONE);
        ShardBatches batches = ShardBatches.builder(dataset, CONVERTER).batchSize(16).build()) {
      assertThat(batches.batchCount()).hasValue(4);
      assertThat(pass(batches)).isEqualTo(all());
      List<Integer> sizes = new ArrayList<>();
      for (Batch batch : batches.getData(manager)) {
        sizes.add(batch.getSize());
        assertThat(batch.getProgress()).isEqualTo(sizes.size() - 1);
        assertThat(batch.getProgressTotal()).isEqualTo(4);
        batch.close();
      }
      assertThat(sizes).containsExactly(16, 16, 16, 2);
    }
  }

  @Test
  void lastBatchThatIsNotFullIsLeftOutWhereThatIsAsked() throws IOException {
    try (ShardDataset dataset = dataset(Shuffle.NONE);
        ShardBatches batches =
            ShardBatches.builder(dataset, CONVERTER).batchSize(16).dropLast().build()) {
      assertThat(batches.batchCount()).hasValue(3);
      assertThat(pass(batches)).isEqualTo(all().subList(0, 48));
    }
  }

  @Test
  void everyPassIsTheNextEpoch() throws IOException {
    try (ShardDataset dataset = dataset(Shuffle.FULL);
        ShardBatches batches = ShardBatches.builder(dataset, CONVERTER).epoch(5).build()) {
      List<Integer> fifth = pass(batches);
      List<Integer> sixth = pass(batches);
      assertThat(sixth).isNotEqualTo(fifth).containsExactlyInAnyOrderElementsOf(fifth);
      batches.setEpoch(5);
      assertThat(pass(batches)).isEqualTo(fifth);
    }
  }

  @Test
  void checkpointCountsTheBatchesThatWereGivenOut() throws IOException {
    try (ShardDataset dataset = dataset(Shuffle.FULL)) {
      for (ShardBatches.Builder builder :
          List.of(
              ShardBatches.builder(dataset, CONVERTER).batchSize(10),
              ShardBatches.builder(dataset, CONVERTER).batchSize(10).dropLast())) {
        try (ShardBatches batches = builder.build()) {
          Iterator<Batch> first = batches.getData(manager).iterator();
          List<Integer> numbers = new ArrayList<>(take(first, 2));
          assertThat(first.hasNext()).isTrue();
          Checkpoint checkpoint = batches.checkpoint();
          batches.resume(checkpoint);
          List<Integer> rest = pass(batches);
          assertThat(rest).hasSize(30);
          numbers.addAll(rest);
          assertThat(numbers).containsExactlyInAnyOrderElementsOf(all());
          assertThat(pass(batches)).as("the epoch after").hasSize(SAMPLES);
        }
      }
    }
  }

  @Test
  void checkpointLeavesOutTheSamplesOfABatchThatIsDropped() throws IOException {
    try (ShardDataset dataset = dataset(Shuffle.NONE);
        ShardBatches batches =
            ShardBatches.builder(dataset, CONVERTER).batchSize(16).dropLast().build()) {
      assertThat(pass(batches)).hasSize(SAMPLES / 16 * 16);
      assertThat(batches.checkpoint().remaining()).isEqualTo(SAMPLES % 16);
    }
  }

  @Test
  void closedPassGivesNothingMore() throws IOException {
    try (ShardDataset dataset = dataset(Shuffle.NONE)) {
      Iterator<Batch> pass;
      try (ShardBatches batches = ShardBatches.builder(dataset, CONVERTER).batchSize(10).build()) {
        assertThatThrownBy(batches::checkpoint).hasMessageContaining("no pass was begun");
        pass = batches.getData(manager).iterator();
        take(pass, 1);
      }
      assertThatThrownBy(() -> take(pass, 1)).isInstanceOf(IllegalStateException.class);
    }
  }
}
