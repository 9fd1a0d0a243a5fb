package dev.tarn.sharder.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.pack.Packer;
import dev.tarn.sharder.plan.option.LabelFrom;
import dev.tarn.sharder.plan.option.OnError;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.plan.option.Split;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.StorageSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class AppendPlanTest {
  private static final StorageUrl SOURCE = StorageUrl.parse("memory://store/source");
  private static final StorageUrl DATASET = StorageUrl.parse("memory://store/dataset");

  private final MemoryStorage storage = new MemoryStorage();
  private final PlanOptions.Builder options =
      PlanOptions.builder()
          .pattern(new ShardPattern("s-%d.tar"))
          .splits(Split.parse("a=0.5,b=0.5"))
          .maximumCount(4);

  @BeforeEach
  void makeFiles() throws IOException {
    for (int i = 0; i < 20; i++) {
      write("cat/%02d.txt".formatted(i), "cat " + i);
    }
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private void write(String name, String text) throws IOException {
    storage.write(SOURCE.child(name), ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private void pack() throws IOException, InterruptedException {
    Source source = new StorageSource(storage, SOURCE);
    Planner planner = new Planner(options.build(), Packer.ENCODER, SortSpace.usual());
    try (Plan plan = planner.plan(List.of(source), DATASET.toString())) {
      new Packer(storage, DATASET, 2).pack(plan, List.of(source), new Progress());
    }
  }

  private Planned append() throws IOException {
    Planner planner =
        new Planner(
            options.build(),
            Packer.ENCODER,
            SortSpace.usual(),
            Optional.of(ExistingDataset.open(storage, DATASET)));
    return Planned.by(planner, new StorageSource(storage, SOURCE));
  }

  @ParameterizedTest
  @EnumSource
  void whatTheDatasetHasIsLeftOut(Order.Kind order) throws IOException, InterruptedException {
    pack();
    write("cat/0.txt", "new");
    write("dog/1.txt", "new");
    options.order(new Order(order, order == Order.Kind.SHUFFLE ? 3 : 0));

    Planned plan = append();

    assertThat(plan.names()).containsExactlyInAnyOrder("cat/0.txt", "dog/1.txt");
    assertThat(plan.header().findings().present()).isEqualTo(20);
    assertThat(plan.header().base())
        .contains(ExistingDataset.open(storage, DATASET).manifest().digest());
  }

  @Test
  void numbersOfShardsGoOnInEachSet() throws IOException, InterruptedException {
    pack();
    for (int i = 0; i < 20; i++) {
      write("dog/%02d.txt".formatted(i), "dog");
    }

    Planned plan = append();

    assertThat(ExistingDataset.open(storage, DATASET).shardNames())
        .contains("a/s-0.tar", "a/s-1.tar", "b/s-0.tar")
        .doesNotContainAnyElementsOf(plan.shards().stream().map(PlannedShard::name).toList());
    assertThat(plan.shards().stream().map(PlannedShard::name))
        .contains("a/s-3.tar", "b/s-3.tar")
        .doesNotContain("a/s-0.tar");
  }

  @Test
  void nothingNewIsAPlanWithoutShards() throws IOException, InterruptedException {
    pack();

    assertThat(append().shards()).isEmpty();
  }

  @Test
  void sampleThatHasChangedIsRefused() throws IOException, InterruptedException {
    pack();
    write("cat/07.txt", "longer than before");
    write("cat/08.json", "{}");

    assertThatThrownBy(this::append)
        .isInstanceOf(PlanException.class)
        .hasMessageContaining(" is in the dataset already, but it has txt of 5 bytes there, and ");

    options.onError(OnError.SKIP).errorsMax(2);
    assertThat(append().header().findings().skipped()).isEqualTo(2);
  }

  @Test
  void classesKeepTheirNumbersAndNewOnesFollow() throws IOException, InterruptedException {
    options.labelFrom(LabelFrom.DIRNAME);
    pack();
    write("ant/1.txt", "ant");
    write("bee/1.txt", "bee");

    Planned plan = append();

    assertThat(plan.header().classes()).containsExactly("cat", "ant", "bee");
    assertThat(plan.names())
        .containsExactlyInAnyOrder("ant/1.cls", "ant/1.txt", "bee/1.cls", "bee/1.txt");
  }

  @Test
  void labelsAreNotAddedToADatasetWithoutClasses() throws IOException, InterruptedException {
    pack();
    options.labelFrom(LabelFrom.DIRNAME);

    assertThatThrownBy(this::append).hasMessageStartingWith("the dataset has no classes");
  }

  @Test
  void indexThatIsNotTheManifestsIsRefused() throws IOException, InterruptedException {
    pack();
    StorageUrl index = DATASET.child("a/s-0.tar.tarnidx");
    byte[] bytes = storage.readAll(index, 1 << 20);
    bytes[bytes.length - 1] ^= 1;
    storage.write(index, ByteBuffer.wrap(bytes));

    assertThatThrownBy(this::append).hasMessageContaining("a/s-0.tar.tarnidx: not the index");

    storage.delete(index);
    assertThatThrownBy(this::append).hasMessageContaining("a/s-0.tar.tarnidx: missing");
  }
}
