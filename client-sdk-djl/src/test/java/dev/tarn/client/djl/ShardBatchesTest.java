package dev.tarn.client.djl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Record;
import ai.djl.translate.Batchifier;
import ai.djl.translate.PaddingStackBatchifier;
import dev.tarn.client.Checkpoint;
import dev.tarn.client.Damage;
import dev.tarn.client.ErrorPolicy;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import dev.tarn.client.loader.TransformException;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.write.ShardWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  void checkpointThatDoesNotFitIsRefusedUntilThereIsAnother() throws IOException {
    try (ShardDataset other = dataset(Shuffle.NONE);
        ShardBatches others = ShardBatches.builder(other, CONVERTER).build();
        ShardDataset dataset = dataset(Shuffle.FULL);
        ShardBatches batches = ShardBatches.builder(dataset, CONVERTER).build()) {
      pass(others);
      batches.resume(others.checkpoint());

      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> pass(batches)).hasMessageContaining("is of the order none");
      }
      assertThatThrownBy(() -> batches.setEpoch(-1)).isInstanceOf(IllegalArgumentException.class);
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

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 1", "4, 0", "3, 5"})
  void batchesAreTheSameHoweverManyThreadsMakeThemAhead(int threads, int prefetch)
      throws IOException {
    try (ShardDataset dataset = dataset(Shuffle.FULL);
        ShardBatches alone = ShardBatches.builder(dataset, CONVERTER).batchSize(8).build();
        ShardBatches batches =
            ShardBatches.builder(dataset, CONVERTER)
                .batchSize(8)
                .threads(threads)
                .prefetch(prefetch)
                .build()) {
      assertThat(pass(batches)).isEqualTo(pass(alone)).hasSize(SAMPLES);
    }
  }

  @Test
  void batchesAreMadeWhileTheConsumerHasTheOneBefore() throws Exception {
    CountDownLatch third = new CountDownLatch(30);
    SampleConverter counting =
        (arrays, sample) -> {
          third.countDown();
          return CONVERTER.convert(arrays, sample);
        };
    try (ShardDataset dataset = dataset(Shuffle.NONE);
        ShardBatches batches = ShardBatches.builder(dataset, counting).batchSize(10).build()) {
      Iterator<Batch> pass = batches.getData(manager).iterator();
      assertThat(take(pass, 1)).hasSize(10);
      assertThat(third.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(batches.checkpoint().remaining()).isEqualTo(SAMPLES - 10);
    }
  }

  @Test
  void arraysThatNobodyWasGivenAreClosedWithThePass() throws IOException {
    try (ShardDataset dataset = dataset(Shuffle.NONE)) {
      for (int taken = 0; taken < 4; taken++) {
        try (ShardBatches batches =
            ShardBatches.builder(dataset, CONVERTER)
                .batchSize(12)
                .threads(3)
                .prefetch(2)
                .dropLast()
                .build()) {
          take(batches.getData(manager).iterator(), taken);
        }
        assertThat(manager.getManagedArrays()).as("after %d batches", taken).isEmpty();
      }
      try (ShardBatches batches =
          ShardBatches.builder(dataset, CONVERTER).batchSize(12).dropLast().build()) {
        assertThat(pass(batches)).hasSize(48);
        assertThat(manager.getManagedArrays()).as("at the end of a pass").isEmpty();
      }
    }
  }

  @Test
  void sampleThatCannotBeConvertedIsNamedOrSkipped() throws IOException {
    SampleConverter failing =
        (arrays, sample) -> {
          if (sample.key().equals("017")) {
            throw new IOException("no picture");
          }
          return CONVERTER.convert(arrays, sample);
        };
    try (ShardDataset strict = dataset(Shuffle.NONE);
        ShardBatches batches = ShardBatches.builder(strict, failing).build()) {
      assertThatThrownBy(() -> pass(batches))
          .isInstanceOf(TransformException.class)
          .hasMessageContaining("sample 017 of ")
          .hasRootCauseMessage("no picture");
    }
    try (ShardDataset tolerant =
            ShardDataset.builder()
                .storage(storage)
                .manifest(FOLDER)
                .errors(ErrorPolicy.skip(1))
                .build();
        ShardBatches batches = ShardBatches.builder(tolerant, failing).build()) {
      assertThat(pass(batches)).hasSize(SAMPLES - 1).doesNotContain(17);
      assertThat(batches.damages()).singleElement().extracting(Damage::member).isEqualTo("017");
    }
  }

  @Test
  void samplesOfDifferentShapesArePaddedByABatchifier() throws IOException {
    SampleConverter longer =
        (arrays, sample) -> {
          int number = sample.decode("cls", int.class);
          float[] values = new float[1 + number % 3];
          Arrays.fill(values, number);
          return new Record(new NDList(arrays.create(values)), new NDList(arrays.create(number)));
        };
    Batchifier padding =
        PaddingStackBatchifier.builder()
            .optIncludeValidLengths(false)
            .addPad(0, 0, arrays -> arrays.full(new Shape(1), -1f))
            .build();
    try (ShardDataset dataset = dataset(Shuffle.NONE);
        ShardBatches batches =
            ShardBatches.builder(dataset, longer)
                .batchSize(3)
                .batchifiers(padding, Batchifier.STACK)
                .build()) {
      Iterator<Batch> pass = batches.getData(manager).iterator();
      pass.next().close();
      try (Batch batch = pass.next()) {
        assertThat(batch.getData().get(0).toFloatArray())
            .containsExactly(3, -1, -1, 4, 4, -1, 5, 5, 5);
      }
    }
    assertThat(manager.getManagedArrays()).isEmpty();
  }

  @Test
  void settingsThatCannotBeAreRefused() throws IOException {
    try (ShardDataset dataset = dataset(Shuffle.NONE)) {
      ShardBatches.Builder builder = ShardBatches.builder(dataset, CONVERTER);
      assertThatThrownBy(() -> builder.batchSize(0)).hasMessageContaining("batchSize is 0");
      assertThatThrownBy(() -> builder.prefetch(-1)).hasMessageContaining("prefetch is -1");
      assertThatThrownBy(() -> builder.threads(0)).hasMessageContaining("0 threads");
      assertThatThrownBy(() -> builder.epoch(-1)).hasMessageContaining("epoch is -1");
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
