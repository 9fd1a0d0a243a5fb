package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands that write do with {@code --dry-run}: nothing, and they say what they would. */
final class DryRunTest {
  @TempDir Path directory;

  private Path source = Path.of("");

  @BeforeEach
  void makeFiles() throws IOException {
    source = Files.createDirectory(directory.resolve("source"));
    for (int i = 0; i < 10; i++) {
      Files.writeString(source.resolve(i + ".txt"), "text " + i, UTF_8);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.sorted().toList();
    }
  }

  private void assertWritesNothing(String said, Object... arguments) throws IOException {
    List<Path> before = files();

    CommandLineRun run = CommandLineRun.of(arguments);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains(said);
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void packSaysWhatItWouldPack() throws IOException {
    Path set = directory.resolve("set");
    assertWritesNothing(
        "would pack 10 samples of 10 files of 60 B into 3 shards: " + set,
        "pack",
        source,
        set,
        "--max-count",
        "4",
        "--dry-run");
    assertWritesNothing(
        "\"command\":\"pack\",\"dry_run\":true,\"samples\":10",
        "pack",
        "--json",
        source,
        set,
        "--dry-run",
        "--restart");
  }

  @Test
  void reshardSaysWhatItWouldPack() throws IOException {
    Path set = directory.resolve("set");
    assertThat(CommandLineRun.of("pack", source, set).exitCode()).isZero();

    assertWritesNothing(
        "would pack 1 sample of 1 file of 6 B into 1 shard",
        "reshard",
        set,
        directory.resolve("less"),
        "--keep",
        "3",
        "--dry-run");
  }

  @Test
  void partOfAPlanSaysWhatItWouldPack() throws IOException {
    Path plan = directory.resolve("plan");
    CommandLineRun planned =
        CommandLineRun.of(
            "plan", source, directory.resolve("set"), "--max-count", "5", "--plan", plan);
    assertThat(planned.exitCode()).as(planned.err()).isZero();

    assertWritesNothing(
        "would pack 5 samples of 5 files of 30 B into 1 shard",
        "pack",
        "--plan",
        plan,
        "--task",
        "0/2",
        "--dry-run");
    assertWritesNothing("into 2 shards", "pack", "--plan", plan, "--dry-run");
  }

  @Test
  void appendSaysWhatItWouldAdd() throws IOException {
    Path set = directory.resolve("set");
    assertThat(CommandLineRun.of("pack", source, set, "--max-count", "4").exitCode()).isZero();
    String nothing = "would pack 0 samples of 0 files of 0 B into 0 shards";
    assertWritesNothing(nothing, "pack", source, set, "--append", "--dry-run");

    Files.writeString(source.resolve("new.txt"), "new", UTF_8);
    String one = "would pack 1 sample of 1 file of 3 B into 1 shard: " + set;
    assertWritesNothing(one, "pack", source, set, "--append", "--dry-run");
    assertWritesNothing(one, "pack", source, set, "--append", "--dry-run", "--restart");
  }

  @Test
  void planThatIsLeftOfACommittedPackStays() throws IOException {
    Path set = directory.resolve("set");
    leaveUnfinished(set);
    assertThat(CommandLineRun.of("pack", source, set).exitCode()).isZero();
    Files.createDirectory(set.resolve(".packing"));
    Files.copy(directory.resolve("plan"), set.resolve(".packing/plan"));

    assertWritesNothing("would pack 0 samples", "pack", source, set, "--append", "--dry-run");
  }

  @Test
  void unfinishedPackIsGoneOnWithOrSaidToBeAnother() throws IOException {
    Path set = directory.resolve("set");
    leaveUnfinished(set);

    assertWritesNothing("would pack 10 samples", "pack", source, set, "--dry-run");
    assertThat(CommandLineRun.of("pack", source, set, "--dry-run").err())
        .contains("would resume the unfinished pack in " + set);

    Files.writeString(source.resolve("new.txt"), "new", UTF_8);
    CommandLineRun changed = CommandLineRun.of("pack", source, set, "--dry-run");
    assertThat(changed.exitCode()).isEqualTo(1);
    assertThat(changed.err()).contains("an unfinished pack is there").contains("new.txt");
    assertWritesNothing("would pack 11 samples", "pack", source, set, "--dry-run", "--restart");
  }

  private void leaveUnfinished(Path set) throws IOException {
    Path plan = directory.resolve("plan");
    assertThat(CommandLineRun.of("plan", source, set, "--plan", plan).exitCode()).isZero();
    Files.createDirectories(set.resolve(".packing"));
    Files.copy(plan, set.resolve(".packing/plan"));
  }

  @Test
  void commitSaysWhetherItCouldWriteTheManifest() throws IOException {
    Path set = directory.resolve("set");
    Path plan = directory.resolve("plan");
    assertThat(CommandLineRun.of("plan", source, set, "--plan", plan).exitCode()).isZero();
    assertThat(CommandLineRun.of("pack", "--plan", plan, "--task", "0/1").exitCode()).isZero();

    assertWritesNothing("complete: 1 shard", "commit", "--plan", plan, "--dry-run");

    Path other = directory.resolve("other");
    assertThat(CommandLineRun.of("pack", source, other, "--seed", "1").exitCode()).isZero();
    Files.copy(other.resolve("dataset.json"), set.resolve("dataset.json"));
    CommandLineRun commit = CommandLineRun.of("commit", "--plan", plan, "--dry-run");
    assertThat(commit.exitCode()).isEqualTo(1);
    assertThat(commit.err()).contains("a dataset is there already");
  }
}
