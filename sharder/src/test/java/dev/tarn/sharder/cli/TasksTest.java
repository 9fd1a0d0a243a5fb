package dev.tarn.sharder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.sharder.FolderContents;
import dev.tarn.sharder.cli.option.TaskMixin;
import dev.tarn.sharder.pack.Slice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Plans that several tasks pack. */
final class TasksTest {
  private static final int FILES = 60;

  @TempDir Path directory;

  @BeforeEach
  void makeFiles() throws IOException {
    Random random = new Random(2);
    for (int i = 0; i < FILES; i++) {
      Path file = directory.resolve("source").resolve("class" + i % 3).resolve(i + ".bin");
      Files.createDirectories(file.getParent());
      byte[] bytes = new byte[random.nextInt(20_000)];
      random.nextBytes(bytes);
      Files.write(file, bytes);
    }
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private static CommandLineRun succeed(Object... words) {
    CommandLineRun run = CommandLineRun.of(words);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private void plan(String set, String... options) {
    Object[] words =
        Stream.concat(
                Stream.of(
                    "plan",
                    path("source"),
                    path(set),
                    "--plan",
                    path("plan-" + set),
                    "--max-count",
                    "7",
                    "--seed",
                    "3",
                    "--label-from",
                    "dirname"),
                Stream.of(options))
            .toArray();
    succeed(words);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 20})
  void anyNumberOfTasksGivesTheSameBytes(int tasks) throws IOException {
    for (String compress : new String[] {"none", "gzip"}) {
      String set = "set-" + compress;
      succeed(
          "pack",
          path("source"),
          path(set),
          "--max-count=7",
          "--seed=3",
          "--label-from=dirname",
          "--compress=" + compress);
      String parts = "parts-" + compress;
      plan(parts, "--compress", compress);
      for (int task = tasks - 1; task >= 0; task--) {
        succeed("pack", "--plan", path("plan-" + parts), "--task", task + "/" + tasks);
      }
      assertThat(directory.resolve(parts).resolve("dataset.json")).doesNotExist();
      CommandLineRun commit = succeed("commit", "--plan", path("plan-" + parts));

      assertThat(commit.out()).contains("committed 60 samples");
      assertThat(FolderContents.of(directory.resolve(parts)))
          .isEqualTo(FolderContents.of(directory.resolve(set)))
          .containsKey("classes.json");
    }
  }

  @Test
  void commitNamesTheShardsThatAreMissing() {
    plan("set");
    succeed("pack", "--plan", path("plan-set"), "--task", "0/3");

    CommandLineRun run = CommandLineRun.of("commit", "--plan", path("plan-set"));
    CommandLineRun dry = CommandLineRun.of("commit", "--dry-run", "--plan", path("plan-set"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains("of 9 shards are missing, or not as they were planned: shard-00000")
        .contains("shard-000008.tar");
    assertThat(dry.exitCode()).isEqualTo(1);
    assertThat(directory.resolve("set/dataset.json")).doesNotExist();
  }

  @Test
  void planWithoutTaskIsPackedAndCommitted() throws IOException {
    succeed(
        "pack", path("source"), path("set"), "--max-count=7", "--seed=3", "--label-from=dirname");
    plan("whole");

    succeed("pack", "--plan", path("plan-whole"));

    assertThat(FolderContents.of(directory.resolve("whole")))
        .isEqualTo(FolderContents.of(directory.resolve("set")));
  }

  @Test
  void shardsOfAnOtherPlanAreNotTakenForThisOnes() throws IOException {
    plan("set");
    succeed("pack", "--plan", path("plan-set"), "--task", "0/1");
    Map<String, ByteBuffer> before = FolderContents.of(directory.resolve("set"));
    Path file = directory.resolve("source/class0/0.bin");
    byte[] bytes = Files.readAllBytes(file);
    bytes[0]++;
    Files.write(file, bytes);
    plan("set");

    succeed("pack", "--plan", path("plan-set"), "--task", "0/1");

    assertThat(FolderContents.of(directory.resolve("set")))
        .hasSameSizeAs(before)
        .isNotEqualTo(before);
  }

  @Test
  void samePlanMadeAgainKeepsWhatWasPacked() throws IOException {
    plan("set");
    succeed("pack", "--plan", path("plan-set"), "--task", "0/1");
    Path index = directory.resolve("set/shard-000000.tar.tarnidx");
    Object before = Files.readAttributes(index, "unix:ino").get("ino");

    plan("set");
    succeed("commit", "--plan", path("plan-set"));

    assertThat(Files.readAttributes(index, "unix:ino").get("ino")).isEqualTo(before);
  }

  @Test
  void tasksAwaitThePlanAndTheCommitAwaitsTheTasks() throws Exception {
    succeed(
        "pack", path("source"), path("set"), "--max-count=7", "--seed=3", "--label-from=dirname");
    String plan = path("plan-parts");
    List<CommandLineRun> runs;
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<CommandLineRun>> begun =
          List.of(
              threads.submit(() -> CommandLineRun.of("commit", "--plan", plan, "--wait=5m")),
              threads.submit(
                  () -> CommandLineRun.of("pack", "--plan", plan, "--task=0/2", "--wait=300s")),
              threads.submit(
                  () -> CommandLineRun.of("pack", "--plan", plan, "--task=1/2", "--wait=1h")));
      plan("parts");
      runs = new ArrayList<>();
      for (Future<CommandLineRun> run : begun) {
        runs.add(run.get());
      }
    }

    assertThat(runs).allSatisfy(run -> assertThat(run.exitCode()).as(run.err()).isZero());
    assertThat(FolderContents.of(directory.resolve("parts")))
        .isEqualTo(FolderContents.of(directory.resolve("set")));
  }

  @Test
  void whatIsAwaitedInVainIsNamed() {
    CommandLineRun noPlan = CommandLineRun.of("commit", "--plan", path("plan-none"), "--wait=1s");
    plan("set");
    CommandLineRun noShards = CommandLineRun.of("commit", "--plan", path("plan-set"), "--wait=1s");

    assertThat(noPlan.exitCode()).isOne();
    assertThat(noPlan.err())
        .contains("waiting up to 1 s: " + path("plan-none"), "plan-none", "waited for 1 s");
    assertThat(noShards.exitCode()).isOne();
    assertThat(noShards.err()).contains("9 of 9 shards are missing", "waited for 1 s");
  }

  @Test
  void taskTakesItsNumberFromKubernetes() {
    Map<String, String> environment = Map.of("JOB_COMPLETION_INDEX", "2");
    for (String[] words : new String[][] {{"--task", "/4"}, {"--tasks", "4"}, {"--task=2/4"}}) {
      TaskMixin task = new TaskMixin();
      new CommandLine(task).parseArgs(words);

      assertThat(task.slice(environment)).contains(new Slice(2, 4));
    }
  }

  @Test
  void noTasksAtAllAreRefused() {
    assertThatThrownBy(() -> new Slice(1, 0)).hasMessage("task 1 of 0: at least one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/4", "4/4", "1", "-1/4", "a/b", "1/0"})
  void wrongTaskIsNamed(String text) {
    TaskMixin task = new TaskMixin();
    new CommandLine(task).parseArgs("--task", text);

    assertThatThrownBy(() -> task.slice(Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("task");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--task 0/1",
        "source set --task 0/1",
        "source",
        "source set --plan plan",
        "--plan plan --seed 4",
        "--plan plan --compress gzip",
        "--plan plan --restart",
        "--plan plan --wait 5",
        "source set --wait 5m",
      })
  void wrongUsageExitsWithTwo(String words) {
    CommandLineRun run = CommandLineRun.of((Object[]) ("pack " + words).split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).isNotBlank().doesNotContain("\tat ");
  }
}
