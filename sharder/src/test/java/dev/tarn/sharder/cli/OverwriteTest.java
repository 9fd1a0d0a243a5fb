package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.FolderContents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands that pack do with files of others at the destination. */
final class OverwriteTest {
  @TempDir Path directory;

  private Path source = Path.of("");
  private Path set = Path.of("");

  @BeforeEach
  void makeFiles() throws IOException {
    source = Files.createDirectory(directory.resolve("source"));
    Files.createDirectory(source.resolve("cat"));
    set = Files.createDirectory(directory.resolve("set"));
    for (int i = 0; i < 4; i++) {
      Files.writeString(source.resolve("cat/" + i + ".txt"), "text " + i, UTF_8);
    }
  }

  private Path put(String name) throws IOException {
    Path file = set.resolve(name);
    Files.createDirectories(file.getParent());
    return new ShardFiles().with("precious.txt", "of somebody else").write(file);
  }

  private static CommandLineRun succeed(Object... words) {
    CommandLineRun run = CommandLineRun.of(words);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private void refuse(String files, Object... words) throws IOException {
    Map<String, ByteBuffer> before = FolderContents.of(set);

    CommandLineRun run = CommandLineRun.of(words);

    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .contains("packing into " + set + " failed: it has " + files)
        .contains("; choose another destination, or let --overwrite delete them");
    assertThat(FolderContents.of(set)).isEqualTo(before);
  }

  @Test
  void packRefusesToReplaceShardsOfOthers() throws IOException {
    for (int i = 0; i < 12; i++) {
      put("shard-0000%02d.tar".formatted(i));
    }

    String files = "12 files that no dataset.json names: shard-000000.tar, shard-000001.tar, ";
    refuse(files, "pack", source, set);
    refuse(files, "pack", source, set, "--dry-run");
    refuse(files, "pack", source, set, "--restart");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shard-000007.tar",
        "shard-000007.tar.gz",
        "shard-000000.tar.tarnidx",
        "shard-000000.idx",
        "shard-000000.json",
        "classes.json"
      })
  void packRefusesFilesThatReadersWouldTakeForItsOwn(String name) throws IOException {
    put(name);

    refuse("1 file that no dataset.json names: " + name, "pack", source, set);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"shard-7.tar", "other-000000.tar", "train/shard-000000.tar", "notes.json"})
  void filesOfOtherNamesAreNotInTheWay(String name) throws IOException {
    Path file = put(name);
    byte[] before = Files.readAllBytes(file);

    succeed("pack", source, set, "--overwrite");

    assertThat(file).hasBinaryContent(before);
  }

  @Test
  void shardsOfEachSplitAndRouteAreProtected() throws IOException {
    put("train/shard-000003.tar");
    put("train/fish-03.tar");
    put("shard-000003.tar");
    Path routes =
        Files.writeString(directory.resolve("routes"), "cat/9* to fish-%02d.tar\n", UTF_8);

    refuse(
        "2 files that no dataset.json names: train/fish-03.tar, train/shard-000003.tar;",
        "pack",
        source,
        set,
        "--split=train=0.5,val=0.5",
        "--route",
        routes);
  }

  @Test
  void overwriteLeavesNothingOfTheOldDataset() throws IOException {
    Path clean = directory.resolve("clean");
    succeed("pack", source, clean);
    put("shard-000000.tar");
    put("shard-000000.idx");
    put("shard-000001.tar");
    put("shard-000001.tar.tarnidx");
    put("classes.json");

    String files =
        "5 files that no dataset.json names: classes.json, shard-000000.idx, shard-000000.tar, ";
    Map<String, ByteBuffer> before = FolderContents.of(set);
    CommandLineRun dry = succeed("pack", source, set, "--overwrite", "--dry-run");
    assertThat(dry.err()).contains("would delete " + files);
    assertThat(FolderContents.of(set)).isEqualTo(before);
    CommandLineRun run = succeed("pack", source, set, "--overwrite");

    assertThat(run.err()).contains("deleted " + files);
    assertThat(FolderContents.of(set)).isEqualTo(FolderContents.of(clean));
  }

  @Test
  void overwriteDeletesNoDataset() throws IOException {
    succeed("pack", source, set);
    Map<String, ByteBuffer> before = FolderContents.of(set);

    CommandLineRun run = CommandLineRun.of("pack", source, set, "--seed=1", "--overwrite");

    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("a dataset is there already");
    assertThat(FolderContents.of(set)).isEqualTo(before);
  }

  @Test
  void overwriteDeletesNoSource() throws IOException {
    Path shard = put("shard-000000.tar");
    byte[] before = Files.readAllBytes(shard);

    CommandLineRun run = CommandLineRun.of("pack", shard, set, "--overwrite");

    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("--overwrite would delete " + shard + " of the source " + shard);
    assertThat(shard).hasBinaryContent(before);
  }

  @Test
  void overwriteDeletesNoSourceBehindALink() throws IOException {
    Path shard = put("shard-000000.tar");
    byte[] before = Files.readAllBytes(shard);
    Path link = Files.createSymbolicLink(directory.resolve("link"), set);

    for (Object[] words :
        new Object[][] {
          {"pack", shard, link, "--overwrite"},
          {"pack", link.resolve("shard-000000.tar"), set, "--overwrite", "--dry-run"},
          {"plan", shard, link, "--overwrite", "--plan", directory.resolve("plan")}
        }) {
      CommandLineRun run = CommandLineRun.of(words);

      assertThat(run.exitCode()).isOne();
      assertThat(run.err())
          .contains("--overwrite would delete ", "shard-000000.tar of the source " + words[1]);
      assertThat(shard).hasBinaryContent(before);
    }
  }

  @Test
  void overwriteDeletesNoFileThatAListNames() throws IOException {
    Path precious = put("shard-000001.json");
    put("shard-000000.tar");
    Path list = Files.writeString(directory.resolve("list.txt"), precious.toString(), UTF_8);
    Map<String, ByteBuffer> before = FolderContents.of(set);

    for (Object[] words :
        new Object[][] {
          {"pack", list, set, "--overwrite"},
          {"pack", list, set, "--overwrite", "--dry-run"},
          {"plan", list, set, "--overwrite", "--plan", directory.resolve("plan")}
        }) {
      CommandLineRun run = CommandLineRun.of(words);

      assertThat(run.exitCode()).isOne();
      assertThat(run.err())
          .contains("--overwrite would delete " + precious + " of the source " + list);
      assertThat(FolderContents.of(set)).isEqualTo(before);
    }
  }

  @Test
  void overwriteDeletesNoFileThatADirectoryLinksTo() throws IOException {
    Path shard = put("shard-000000.tar");
    Files.createSymbolicLink(source.resolve("linked"), set);

    CommandLineRun run = CommandLineRun.of("pack", source, set, "--overwrite");

    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .contains("--overwrite would delete " + shard + " of the source " + source);
    assertThat(shard).exists();
  }

  @Test
  void destinationThatLinksIntoASourceIsRefused() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), source.resolve("cat"));

    CommandLineRun run = CommandLineRun.of("pack", source, link.resolve("new"));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("lies in SOURCE " + source);
  }

  @Test
  void unfinishedPackResumesAndRestartsWithItsOwnShards() throws IOException {
    Path clean = directory.resolve("clean");
    succeed("pack", source, clean, "--max-count=1", "--label-from=dirname");
    for (String option : new String[] {"--jobs=1", "--restart", "--overwrite"}) {
      Path unfinished = directory.resolve("unfinished" + option);
      Path plan = directory.resolve("plan" + option);
      succeed("plan", source, unfinished, "--max-count=1", "--label-from=dirname", "--plan", plan);
      succeed("pack", "--plan", plan, "--task=0/2");
      Files.copy(clean.resolve("classes.json"), unfinished.resolve("classes.json"));
      Files.createDirectory(unfinished.resolve(".packing"));
      Files.copy(plan, unfinished.resolve(".packing/plan"));

      succeed("pack", source, unfinished, "--max-count=1", "--label-from=dirname", option);

      assertThat(FolderContents.of(unfinished)).isEqualTo(FolderContents.of(clean));
    }
  }

  @Test
  void restartRefusesShardsThatTheUnfinishedPackDidNotPlan() throws IOException {
    Path plan = directory.resolve("plan");
    succeed("plan", source, set, "--plan", plan);
    succeed("pack", "--plan", plan, "--task=0/1");
    Files.createDirectory(set.resolve(".packing"));
    Files.copy(plan, set.resolve(".packing/plan"));
    put("shard-000001.tar");

    refuse(
        "1 file that no dataset.json names: shard-000001.tar;", "pack", source, set, "--restart");
    succeed("pack", source, set, "--restart", "--overwrite");

    assertThat(set.resolve("shard-000001.tar")).doesNotExist();
  }

  /** Leaves the plan of a pack that has not written any shard yet. */
  private void beginPack(String... options) throws IOException {
    Path plan = directory.resolve("begun");
    Object[] words = {"plan", source, set, "--plan", plan};
    succeed(Stream.concat(Stream.of(words), Stream.of(options)).toArray());
    Files.createDirectories(set.resolve(".packing"));
    Files.copy(plan, set.resolve(".packing/plan"));
  }

  @Test
  void restartRefusesShardsThatTheUnfinishedPackDidNotMake() throws IOException {
    beginPack();
    put("shard-000000.tar");

    String files = "1 file that no dataset.json names: shard-000000.tar;";
    refuse(files, "pack", source, set, "--restart");
    refuse(files, "pack", source, set, "--restart", "--dry-run");
    succeed("pack", source, set, "--restart", "--overwrite");

    succeed("verify", set);
  }

  @Test
  void restartNamesTheShardsThatItDiscards() throws IOException {
    beginPack("--max-count=1");
    succeed("pack", "--plan", directory.resolve("begun"), "--task=0/2");

    CommandLineRun run = succeed("pack", source, set, "--restart");

    assertThat(run.err())
        .contains("discarded 2 shards of the unfinished pack: shard-000000.tar, shard-000001.tar");
    succeed("verify", set);
  }

  private void refuseToReplace(Object... words) throws IOException {
    Map<String, ByteBuffer> before = FolderContents.of(set);

    CommandLineRun run = CommandLineRun.of(words);

    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .contains(
            "packing into " + set + " failed: another program wrote 1 of its shards:",
            "shard-000000.tar; move it elsewhere");
    assertThat(FolderContents.of(set)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resumedPackReplacesNoShardOfOthers(boolean indexed) throws IOException {
    beginPack();
    Path shard = put("shard-000000.tar");
    if (indexed) {
      succeed("index", shard);
    }

    refuseToReplace("pack", source, set);
    refuseToReplace("pack", source, set, "--overwrite");
    refuseToReplace("pack", source, set, "--dry-run");
    refuseToReplace("pack", "--plan", directory.resolve("begun"));
    refuseToReplace("pack", "--plan", directory.resolve("begun"), "--task=0/1");
  }

  @Test
  void resumedPackReplacesNoShardThatWasReplaced() throws IOException {
    beginPack();
    succeed("pack", "--plan", directory.resolve("begun"), "--task=0/1");
    for (int i = 0; i < 20; i++) {
      Files.writeString(source.resolve("cat/more" + i + ".txt"), "more", UTF_8);
    }
    Path other = directory.resolve("other");
    succeed("pack", source, other);
    Files.copy(
        other.resolve("shard-000000.tar"), set.resolve("shard-000000.tar"), REPLACE_EXISTING);

    refuseToReplace("pack", "--plan", directory.resolve("begun"), "--task=0/1");
  }

  @Test
  void samePlanMadeAgainKeepsAShardWithoutItsIndex() throws IOException {
    Path clean = directory.resolve("clean");
    succeed("pack", source, clean);
    Path plan = directory.resolve("plan");
    succeed("plan", source, set, "--plan", plan);
    succeed("pack", "--plan", plan, "--task=0/1");
    Files.delete(set.resolve("shard-000000.tar.tarnidx"));

    succeed("plan", source, set, "--plan", plan);
    succeed("pack", "--plan", plan);

    assertThat(FolderContents.of(set)).isEqualTo(FolderContents.of(clean));
  }

  @Test
  void appendRefusesToReplaceShardsThatTheDatasetDoesNotName() throws IOException {
    succeed("pack", source, set);
    succeed("index", set, "--dali");
    Path other = put("shard-000001.tar");
    Files.writeString(source.resolve("new.txt"), "new", UTF_8);

    refuse(
        "1 file that no dataset.json names: " + other.getFileName(),
        "pack",
        source,
        set,
        "--append");
    succeed("pack", source, set, "--append", "--overwrite");

    assertThat(set.resolve("shard-000000.idx")).exists();
    succeed("verify", set);
  }

  @Test
  void reshardRefusesToReplaceShardsOfOthers() throws IOException {
    Path before = directory.resolve("before");
    succeed("pack", source, before);
    put("shard-000000.tar");

    refuse("1 file that no dataset.json names: shard-000000.tar;", "reshard", before, set);
    succeed("reshard", before, set, "--overwrite");

    succeed("verify", set);
  }

  @Test
  void planRefusesADestinationWithShardsOfOthers() throws IOException {
    put("shard-000000.tar");
    Path index = put("shard-000000.tar.tarnidx");
    Path plan = directory.resolve("plan");

    String files = "2 files that no dataset.json names: shard-000000.tar, " + index.getFileName();
    refuse(files, "plan", source, set, "--plan", plan);
    refuse(files, "plan", source, set, "--dry-run");
    assertThat(plan).doesNotExist();
    CommandLineRun dry = succeed("plan", source, set, "--dry-run", "--overwrite");
    assertThat(dry.err()).contains("would delete " + files);
    succeed("plan", source, set, "--plan", plan, "--overwrite");

    try (Stream<Path> left = Files.list(set)) {
      assertThat(left).isEmpty();
    }
    CommandLineRun pack = CommandLineRun.of("pack", "--plan", plan, "--overwrite");
    assertThat(pack.exitCode()).isEqualTo(2);
    assertThat(pack.err()).contains("--overwrite is not allowed with --plan");
  }

  @Test
  void planOfAnotherNameRefusesShardsOfAnUncommittedPlan() throws IOException {
    Path plan = directory.resolve("plan");
    succeed("plan", source, set, "--plan", plan, "--label-from=dirname");
    succeed("pack", "--plan", plan, "--task=0/1");

    refuse(
        "2 files that no dataset.json names: shard-000000.tar, ",
        "plan",
        source,
        set,
        "--plan",
        directory.resolve("another"));
  }

  @Test
  void planThatReplacesAnotherDiscardsItsShards() throws IOException {
    Path clean = directory.resolve("clean");
    succeed("pack", source, clean);
    Path plan = directory.resolve("plan");
    succeed("plan", source, set, "--plan", plan, "--max-count=1");
    succeed("pack", "--plan", plan, "--task=0/1");
    assertThat(set.resolve("shard-000003.tar")).exists();

    CommandLineRun run = succeed("plan", source, set, "--plan", plan);
    assertThat(run.err())
        .contains("discarded 4 shards of the replaced plan: shard-000000.tar, shard-000001.tar, ");
    succeed("pack", "--plan", plan);

    assertThat(FolderContents.of(set)).isEqualTo(FolderContents.of(clean));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void planThatReplacesAnotherRefusesShardsThatTheOtherDidNotMake(boolean indexed)
      throws IOException {
    Path plan = directory.resolve("plan");
    succeed("plan", source, set, "--plan", plan);
    byte[] before = Files.readAllBytes(plan);
    Path shard = put("shard-000000.tar");
    if (indexed) {
      succeed("index", shard);
    }

    String files =
        (indexed ? "2 files" : "1 file") + " that no dataset.json names: shard-000000.tar";
    refuse(files, "plan", source, set, "--plan", plan, "--max-count=1");
    refuse(files, "plan", source, set, "--plan", plan, "--max-count=1", "--dry-run");
    assertThat(plan).hasBinaryContent(before);
    CommandLineRun run =
        succeed("plan", source, set, "--plan", plan, "--max-count=1", "--overwrite");

    assertThat(run.err()).contains("deleted " + files);
    assertThat(shard).doesNotExist();
    succeed("pack", "--plan", plan);
  }

  @Test
  void reportReplacesReportsAndNoOtherFile() throws IOException {
    Path report = Files.writeString(directory.resolve("report"), "of somebody else", UTF_8);
    Object[] words = {
      "pack", source, set, "--require=cls", "--missing=exclude", "--report", report
    };

    CommandLineRun run = CommandLineRun.of(words);

    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .contains("writing the report failed: " + report + " exists and is no report");
    assertThat(report).hasContent("of somebody else");
    Files.delete(report);
    for (String seed : new String[] {"--seed=1", "--seed=2"}) {
      CommandLineRun.of(
          "plan",
          source,
          set,
          "--require=cls",
          "--missing=exclude",
          "--dry-run",
          seed,
          "--report",
          report);
      assertThat(report).content().contains("cat/0", "cat/3");
    }
  }
}
