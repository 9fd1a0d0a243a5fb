package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.ShardEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AppendTest {
  @TempDir Path directory;

  @BeforeEach
  void makeFiles() throws IOException {
    for (int i = 0; i < 10; i++) {
      write("cat/%d.txt".formatted(i));
    }
    assertThat(pack().exitCode()).isZero();
  }

  private void write(String name) throws IOException {
    Path file = directory.resolve("source").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, name);
  }

  private CommandLineRun pack(String... options) {
    List<Object> words =
        new ArrayList<>(
            List.of(
                "pack",
                directory.resolve("source"),
                directory.resolve("set"),
                "--max-count",
                "4",
                "--label-from",
                "dirname"));
    words.addAll(List.of(options));
    return CommandLineRun.of(words.toArray());
  }

  private DatasetManifest manifest() throws IOException {
    return DatasetManifest.parse(
        "dataset.json", Files.readAllBytes(directory.resolve("set/dataset.json")));
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> files = new HashMap<>();
    try (var paths = Files.walk(directory.resolve("set"))) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        files.put(path.getFileName().toString(), Files.readString(path, ISO_8859_1));
      }
    }
    return files;
  }

  private CommandLineRun verify() {
    return CommandLineRun.of("verify", directory.resolve("set"));
  }

  @Test
  void newSamplesGoToNewShardsAndNoFileButTheManifestIsTouched() throws IOException {
    Map<String, String> before = files();
    DatasetManifest manifest = manifest();
    write("cat/new.txt");
    write("ant/1.txt");

    CommandLineRun append = pack("--append");

    assertThat(append.exitCode()).as(append.err()).isZero();
    assertThat(append.err())
        .contains(
            "left out 10 samples that the dataset has already",
            "--append does not compare contents");
    assertThat(manifest().shards().stream().map(ShardEntry::name))
        .containsExactly(
            "shard-000000.tar", "shard-000001.tar", "shard-000002.tar", "shard-000003.tar");
    assertThat(manifest().shards().subList(0, 3)).isEqualTo(manifest.shards());
    assertThat(manifest().packs()).hasSize(2).startsWith(manifest.packs().getFirst());
    assertThat(manifest().samples()).isEqualTo(12);
    assertThat(manifest().classes().map(FileEntry::name)).contains("classes-2.json");
    before.remove("dataset.json");
    assertThat(files()).containsAllEntriesOf(before).containsKey("classes-2.json");
    assertThat(verify().exitCode()).as(verify().err()).isZero();

    write("ant/2.txt");
    assertThat(pack("--append", "--seed", "1").exitCode()).isZero();
    assertThat(manifest().packs()).hasSize(3);
    assertThat(manifest().classes().map(FileEntry::name)).contains("classes-2.json");
    assertThat(verify().exitCode()).isZero();
  }

  @Test
  void nothingNewIsNoError() throws IOException {
    Map<String, String> before = files();

    CommandLineRun append = pack("--append");

    assertThat(append.exitCode()).as(append.err()).isZero();
    assertThat(append.out()).contains("there is nothing to append");
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void appendingTakesADataset() {
    CommandLineRun append =
        CommandLineRun.of(
            "pack", directory.resolve("source"), directory.resolve("none"), "--append");

    assertThat(append.exitCode()).isEqualTo(1);
    assertThat(append.err()).contains("there is no dataset");
  }

  @Test
  void packThatWasBrokenOffAfterItsManifestIsNotInTheWay() throws IOException {
    write("cat/new.txt");
    Path plan = directory.resolve("plan");
    assertThat(
            CommandLineRun.of(
                    "plan",
                    directory.resolve("source"),
                    directory.resolve("set"),
                    "--max-count",
                    "4",
                    "--label-from",
                    "dirname",
                    "--append",
                    "--plan",
                    plan)
                .exitCode())
        .isZero();
    assertThat(pack("--append").exitCode()).isZero();
    Files.createDirectory(directory.resolve("set/.packing"));
    Files.copy(plan, directory.resolve("set/.packing/plan"));

    CommandLineRun again = pack("--append", "--restart");

    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.out()).contains("there is nothing to append");
    assertThat(directory.resolve("set/.packing")).doesNotExist();
    assertThat(verify().exitCode()).as(verify().err()).isZero();
  }

  @Test
  void restartOfAnUnfinishedPackKeepsTheShardsThatADatasetNames() throws IOException {
    Path set = Files.createDirectories(directory.resolve("tasks"));
    Path plan = directory.resolve("plan");
    Path source = directory.resolve("source");
    for (Object[] words :
        new Object[][] {
          {"plan", source, set, "--plan", plan, "--max-count=4"},
          {"pack", "--plan", plan, "--task=0/2"},
          {"index", set, "--manifest"},
        }) {
      CommandLineRun run = CommandLineRun.of(words);
      assertThat(run.exitCode()).as(run.err()).isZero();
    }
    Files.copy(plan, Files.createDirectory(set.resolve(".packing")).resolve("plan"));
    Files.copy(set.resolve("shard-000000.tar"), set.resolve("shard-000002.tar"));

    Object[] words = {"pack", source, set, "--max-count=4", "--append", "--restart"};
    CommandLineRun refused = CommandLineRun.of(words);
    assertThat(refused.exitCode()).isOne();
    assertThat(refused.err())
        .contains("it has 1 file that no dataset.json names: shard-000002.tar;");
    CommandLineRun append =
        CommandLineRun.of(Stream.concat(Stream.of(words), Stream.of("--overwrite")).toArray());

    assertThat(append.exitCode()).as(append.err()).isZero();
    assertThat(append.out()).contains("packed 10 samples");
    assertThat(CommandLineRun.of("verify", set).exitCode()).isZero();
  }

  @Test
  void unfinishedAppendToADatasetThatWasReplacedSaysSo() throws IOException {
    write("cat/new.txt");
    Path plan = directory.resolve("set/.packing/plan");
    Object[] words = {
      "plan",
      directory.resolve("source"),
      directory.resolve("set"),
      "--plan",
      plan,
      "--append",
      "--max-count=4",
      "--label-from=dirname"
    };
    assertThat(CommandLineRun.of(words).exitCode()).isZero();
    Path manifest = directory.resolve("set/dataset.json");
    String other = Files.readString(manifest).replace("tarn-tar-", "tarn-tar-0");
    Files.writeString(manifest, other);

    CommandLineRun append = pack("--append");

    assertThat(append.exitCode()).isOne();
    assertThat(append.err())
        .contains("an unfinished pack is there, but the dataset that it adds to has changed since");
  }
}
