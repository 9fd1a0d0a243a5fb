package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.LocalStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UnpackCommandTest {
  @TempDir Path directory;

  private Path target = Path.of("");

  @BeforeEach
  void name() {
    target = directory.resolve("files");
  }

  private static CommandLineRun run(Object... arguments) {
    return CommandLineRun.of(arguments);
  }

  private List<String> names(Path folder) throws IOException {
    StorageUrl url = StorageUrl.parse(folder.toString());
    try (LocalStorage storage = new LocalStorage();
        Stream<StoredObject> files = storage.list(url)) {
      return files.map(file -> file.url().nameUnder(url)).toList();
    }
  }

  @Test
  void filesOfADatasetComeOutAsTheyWentIn() throws IOException {
    Path source = Files.createDirectories(directory.resolve("source/d/e"));
    for (int i = 0; i < 30; i++) {
      Files.writeString(source.resolve(i + ".txt"), "text " + i, UTF_8);
    }
    run("pack", directory.resolve("source"), directory.resolve("set"), "--max-count", "7");

    CommandLineRun unpack = run("unpack", directory.resolve("set"), target);

    assertThat(unpack.exitCode()).as(unpack.err()).isZero();
    assertThat(unpack.out()).contains("unpacked 30 files of 200 B from 5 shards into " + target);
    assertThat(names(target)).isEqualTo(names(directory.resolve("source")));
    for (int i = 0; i < 30; i++) {
      assertThat(target.resolve("d/e/" + i + ".txt")).hasContent("text " + i);
    }
  }

  @Test
  void oddNamesAndShardsWithoutIndexComeOutToo() throws IOException {
    ShardFiles files =
        new ShardFiles()
            .with("README", "of no sample")
            .with("./a.txt", "a")
            .with("d//\udcff\udcfe.bin", "not UTF-8")
            .with("\u20ac/" + "n".repeat(200) + ".x", "long")
            .with("__m__", "");
    Path plain = files.write(directory.resolve("plain.tar"));
    Path gzip = files.writeGzip(directory.resolve("gzip.tgz"));

    for (Path shard : List.of(plain, gzip)) {
      CommandLineRun unpack = run("unpack", shard, target, "--existing", "replace");
      assertThat(unpack.exitCode()).as(unpack.err()).isZero();
      assertThat(names(target))
          .containsExactly(
              "README", "__m__", "a.txt", "d/\udcff\udcfe.bin", "\u20ac/" + "n".repeat(200) + ".x");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../a.txt", "/tmp/a.txt", "d/../../a.txt", "d/..", ".", "./"})
  void namesThatLeadOutAreRefused(String name) throws IOException {
    // The writer of ours refuses a slash at the end as well.
    String member = name.endsWith("/") ? name + "." : name;
    Path shard =
        new ShardFiles().with("0.txt", "").with(member, "evil").write(directory.resolve("s.tar"));

    for (String option : new String[] {"--dry-run", "--existing=abort"}) {
      CommandLineRun unpack = run("unpack", option, shard, target);

      assertThat(unpack.exitCode()).isEqualTo(1);
      assertThat(unpack.err())
          .contains(shard + ": member \"" + member + "\" leads out of " + target);
    }
    assertThat(names(target)).containsExactly("0.txt");
    assertThat(directory.resolve("a.txt")).doesNotExist();
  }

  @Test
  void linkInTheWayIsNotFollowed() throws IOException {
    Path shard = new ShardFiles().with("d/0.txt", "evil").write(directory.resolve("s.tar"));
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.createDirectory(target);
    Files.createSymbolicLink(target.resolve("d"), outside);

    CommandLineRun unpack = run("unpack", shard, target);

    assertThat(unpack.exitCode()).isEqualTo(1);
    assertThat(unpack.err()).contains("is a symbolic link in the way");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void filesThatAreThereAreLeftUnlessTold() throws IOException {
    Path shard =
        new ShardFiles()
            .with("a.txt", "new")
            .with("b.txt", "new")
            .write(directory.resolve("s.tar"));
    Files.createDirectory(target);
    Files.writeString(target.resolve("b.txt"), "old", UTF_8);

    CommandLineRun abort = run("unpack", shard, target);
    assertThat(abort.exitCode()).isEqualTo(1);
    assertThat(abort.err()).contains(target.resolve("b.txt") + ": exists already");
    assertThat(target.resolve("b.txt")).hasContent("old");

    CommandLineRun skip = run("unpack", shard, target, "--existing", "skip");
    assertThat(skip.exitCode()).isZero();
    assertThat(skip.out()).contains("unpacked 0 files").contains("2 are there already");

    CommandLineRun replace = run("unpack", shard, target, "--existing", "replace");
    assertThat(replace.exitCode()).isZero();
    assertThat(target.resolve("b.txt")).hasContent("new");
  }

  @Test
  void dataThatTheIndexDoesNotKnowDoesNotAppear() throws IOException {
    Path shard = new ShardFiles().with("a.txt", "a").write(directory.resolve("s.tar"));
    run("index", shard);
    byte[] bytes = Files.readAllBytes(shard);
    bytes[512] ^= 1;
    Files.write(shard, bytes);

    CommandLineRun unpack = run("unpack", shard, target);

    assertThat(unpack.exitCode()).isEqualTo(1);
    assertThat(unpack.err()).contains("\"a.txt\" does not match the index");
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void shardThatIsCutShortLeavesNoHalfFile() throws IOException {
    Path shard =
        new ShardFiles()
            .with("a.txt", "a")
            .with("b.txt", "b".repeat(5000))
            .write(directory.resolve("s.tar"));
    Files.write(shard, java.util.Arrays.copyOf(Files.readAllBytes(shard), 3000));

    CommandLineRun unpack = run("unpack", shard, target);

    assertThat(unpack.exitCode()).isEqualTo(1);
    assertThat(unpack.err()).contains("cut short");
    try (Stream<Path> left = Files.list(target)) {
      assertThat(left).containsExactly(target.resolve("a.txt"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--existing=skip", "--existing=replace", "--dry-run"})
  void fileOfTwoShardsIsAnErrorThatNamesBoth(String option) throws IOException {
    Path first = new ShardFiles().with("d/a.txt", "1").write(directory.resolve("1.tar"));
    Path second =
        new ShardFiles().with("0.txt", "").with("d//a.txt", "2").write(directory.resolve("2.tar"));

    CommandLineRun unpack = run("unpack", option, "--jobs", "2", first, second, target);

    assertThat(unpack.exitCode()).isEqualTo(1);
    assertThat(unpack.err())
        .isEqualToIgnoringNewLines(
            "sharder: \"d/a.txt\" is in "
                + first
                + " and in "
                + second
                + "; unpack the two into different folders");
  }

  @Test
  void fileOfTwoShardsIsThereAlreadyForOneOfThem() throws IOException {
    Path first = new ShardFiles().with("a.txt", "1").write(directory.resolve("1.tar"));
    Path second = new ShardFiles().with("a.txt", "2").write(directory.resolve("2.tar"));

    CommandLineRun unpack = run("unpack", "--jobs", "2", first, second, target);

    assertThat(unpack.exitCode()).isEqualTo(1);
    assertThat(unpack.err())
        .contains(target.resolve("a.txt") + ": exists already and is in ")
        .contains(".tar; --existing skip keeps such files");
  }

  @ParameterizedTest
  @ValueSource(strings = {"abort", "skip", "replace"})
  void folderInThePlaceOfAFileIsNotTakenForIt(String existing) throws IOException {
    Path shard = new ShardFiles().with("a.txt", "a").write(directory.resolve("s.tar"));
    Path folder = Files.createDirectories(target.resolve("a.txt"));

    CommandLineRun unpack = run("unpack", "--existing", existing, shard, target);

    assertThat(unpack.exitCode()).isEqualTo(1);
    assertThat(unpack.err()).contains(folder + ": is a folder, where " + shard + " has a file");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void memberBelowAnotherIsAnError() throws IOException {
    Path shard =
        new ShardFiles().with("d/a", "").with("d/a/b.txt", "").write(directory.resolve("s.tar"));

    CommandLineRun unpack = run("unpack", shard, target);

    assertThat(unpack.exitCode()).isEqualTo(1);
    assertThat(unpack.err()).contains(target.resolve("d/a") + ": is a file in the way of a folder");
  }

  @Test
  void dryRunWritesNothing() throws IOException {
    Path shard = new ShardFiles().with("a.txt", "abc").write(directory.resolve("s.tar"));

    CommandLineRun unpack = run("unpack", "--dry-run", shard, target);

    assertThat(unpack.exitCode()).as(unpack.err()).isZero();
    assertThat(unpack.out()).contains("would unpack 1 file of 3 B from 1 shard into " + target);
    assertThat(target).doesNotExist();
  }

  @Test
  void wrongUsageIsSaid() {
    assertThat(run("unpack", "a.tar").exitCode()).isEqualTo(2);
    assertThat(run("unpack", "a.tar", "s3://bucket/x").exitCode()).isEqualTo(2);
    assertThat(run("unpack", "a.tar", "b", "--existing", "maybe").exitCode()).isEqualTo(2);
  }
}
