package dev.tarn.sharder.pack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.LocalStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.option.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pack that begins does to files that somebody has begun to write below its folder. */
final class UnfinishedFilesTest {
  @TempDir Path directory;

  private final LocalStorage storage = new LocalStorage();
  private MemoryStorage sources;
  private StorageUrl dataset;

  @BeforeEach
  void open() throws IOException {
    sources = PackedMemory.storage();
    dataset = StorageUrl.parse(directory.resolve("set").toString());
  }

  @AfterEach
  void close() {
    sources.close();
    storage.close();
  }

  private ObjectWriter write(String name) throws IOException {
    ObjectWriter writer = storage.create(dataset.child(name));
    writer.write(UTF_8.encode("begun"));
    return writer;
  }

  private void begin(Plan plan) throws IOException {
    new StoredPlan(storage, dataset).begin(plan);
  }

  @Test
  void filesThatThePackMayHaveBegunAreDiscardedAndOthersStay() throws IOException {
    try (Plan plan = PackedMemory.plan(sources, PackedMemory.options().build())) {
      for (String name :
          new String[] {
            "train/000.tar",
            "train/001.tar.tarnidx",
            "dataset.json",
            "classes.json",
            ".packing/plan"
          }) {
        write(name);
      }
      ObjectWriter besides = write("train/000.json");
      ObjectWriter below = write("other/000.tar");

      begin(plan);

      besides.commit();
      below.commit();
      try (var files = Files.walk(directory)) {
        assertThat(files.filter(Files::isRegularFile).map(directory.resolve("set")::relativize))
            .containsExactlyInAnyOrder(
                Path.of("train/000.json"), Path.of("other/000.tar"), Path.of(".packing/plan"));
      }
    }
  }

  @Test
  void packThatIsRefusedLeavesAloneWhatTheRunningOneWrites() throws IOException {
    try (Plan running = PackedMemory.plan(sources, PackedMemory.options().build());
        Plan other =
            PackedMemory.plan(sources, PackedMemory.options().order(Order.shuffled(2)).build())) {
      begin(running);
      ObjectWriter shard = write("train/000.tar");

      assertThatThrownBy(() -> begin(other)).hasMessageContaining("an unfinished pack is there");

      assertThat(shard.commit().size()).isEqualTo(5);
    }
  }
}
