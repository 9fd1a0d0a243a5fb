package dev.tarn.sharder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlanCommandTest {
  @TempDir Path directory;

  @BeforeEach
  void makeFiles() throws IOException {
    for (String folder : new String[] {"images", "texts"}) {
      Path source = Files.createDirectories(directory.resolve(folder));
      for (int i = 0; i < 10; i++) {
        Files.writeString(source.resolve(i + "." + folder), folder + i);
      }
      Files.writeString(source.resolve("README"), folder);
    }
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private CommandLineRun plan(Object... options) {
    Object[] words = new Object[options.length + 4];
    words[0] = "plan";
    words[1] = path("images");
    words[2] = path("texts");
    words[3] = path("set");
    System.arraycopy(options, 0, words, 4, options.length);
    return CommandLineRun.of(words);
  }

  @Test
  void planIsAFileThatSaysWhatWillBePacked() throws IOException {
    CommandLineRun run = plan("--plan", path("plans/1"), "--max-count", 4, "--seed", 9);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("left out 2 files").contains(path("images/README"));
    assertThat(directory.resolve("set")).doesNotExist();
    try (Storage storage = Storage.open();
        Plan plan = Plan.open(storage, StorageUrl.parse(path("plans/1")))) {
      assertThat(run.out())
          .contains("planned 10 samples of 20 files of 130 B into 3 shards: " + path("plans/1"))
          .contains("plan sha256:" + plan.digest());
      assertThat(plan.header().destination()).isEqualTo(path("set"));
      assertThat(plan.header().sources()).containsExactly(path("images"), path("texts"));
      assertThat(plan.shard(0).member(1).sourceNumber()).isEqualTo(1);
    }
  }

  @Test
  void sameFilesAndOptionsGiveTheSameBytes() throws IOException {
    plan("--plan", path("1"), "--seed", 9);
    plan("--plan", path("2"), "--seed", 9);
    plan("--plan", path("3"), "--seed", 8);

    assertThat(directory.resolve("2")).hasSameBinaryContentAs(directory.resolve("1"));
    assertThat(Files.readAllBytes(directory.resolve("3")))
        .isNotEqualTo(Files.readAllBytes(directory.resolve("1")));
  }

  @Test
  void dryRunWritesNothing() {
    CommandLineRun run = plan("--dry-run", "--plan", path("1"));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("would pack 10 samples of 20 files of 130 B into 1 shard\n");
    assertThat(directory.resolve("1")).doesNotExist();
  }

  @Test
  void planWhereADatasetIsAlreadyIsRefused() {
    CommandLineRun.of("pack", path("images"), path("set"));

    CommandLineRun run = plan("--plan", path("1"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("a dataset is there already");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--plan", "--plan x --seed a", "--plan ftp://x"})
  void wrongUsageExitsWithTwo(String options) {
    CommandLineRun run = plan((Object[]) (options.isEmpty() ? new String[0] : options.split(" ")));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).isNotBlank().doesNotContain("\tat ");
  }

  @Test
  void whatAKilledOneLeftOfTheSamePlanIsDiscarded() throws IOException {
    try (Storage storage = Storage.open()) {
      StorageUrl folder = StorageUrl.parse(directory.resolve("plans").toString());
      try (ObjectWriter killed = storage.create(folder.child("plan"));
          ObjectWriter other = storage.create(folder.child("other"))) {
        assertThat(killed.isOpen() && other.isOpen()).isTrue();
        Path plan = directory.resolve("plans/plan");

        CommandLineRun run = plan("--plan", plan);

        assertThat(run.exitCode()).as(run.err()).isZero();
        other.commit();
        try (Stream<Path> files = Files.list(directory.resolve("plans"))) {
          assertThat(files).containsExactlyInAnyOrder(plan, directory.resolve("plans/other"));
        }
      }
    }
  }
}
