package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.sample.SampleDigest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IndexCommandTest {
  @TempDir Path directory;

  private static CommandLineRun run(Object... arguments) {
    return CommandLineRun.of(arguments);
  }

  private static CommandLineRun succeed(Object... arguments) {
    CommandLineRun run = run(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static ShardIndex indexOf(Path shard) throws IOException {
    Path index = Path.of(shard + ".tarnidx");
    return ShardIndex.of(index.toString(), ByteBuffer.wrap(Files.readAllBytes(index)));
  }

  private static ShardFiles files() {
    return new ShardFiles()
        .with("README", "of no sample")
        .with("a.txt", "text")
        .with("a.CLS", "1")
        .with("b.cls", "2")
        .with("b.\udcff", "")
        .with("b.jpg", "x".repeat(300_000));
  }

  private static byte[] digest(String... extensionsAndData) {
    SampleDigest digest = new SampleDigest();
    for (int i = 0; i < extensionsAndData.length; i += 2) {
      byte[] data = extensionsAndData[i + 1].getBytes(UTF_8);
      digest.begin(extensionsAndData[i], data.length);
      digest.update(ByteBuffer.wrap(data));
    }
    return digest.finish();
  }

  private static void assertDescribes(ShardIndex index) throws ShardFormatException {
    index.verify();
    assertThat(index.sampleCount()).isEqualTo(2);
    assertThat(index.sample(0).key()).isEqualTo("a");
    assertThat(index.member(1).extension()).isEqualTo("cls");
    assertThat(index.sampleDigest(0)).isEqualTo(digest("cls", "1", "txt", "text"));
    assertThat(index.sampleDigest(1))
        .isEqualTo(digest("cls", "2", "jpg", "x".repeat(300_000), "\udcff", ""));
  }

  @Test
  void samplesWhoseFilesComeInAnyOrderHaveTheDigestOfTheirOrder() throws IOException {
    Path plain = files().write(directory.resolve("plain.tar"));
    Path gzip = files().writeGzip(directory.resolve("gzip.tar.gz"));
    Path zstd = Files.write(directory.resolve("zstd.tar.zst"), Zstd.compress(files().bytes()));

    CommandLineRun index = succeed("index", plain, gzip, zstd);

    assertThat(index.out()).contains("3 shards with 6 samples of 15 files; 3 indexes written");
    for (Path shard : new Path[] {plain, gzip, zstd}) {
      assertDescribes(indexOf(shard));
      succeed("verify", shard);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      assertThat(CommandLineRun.writing(bytes, "cat", shard, "a.txt").exitCode()).isZero();
      assertThat(bytes.toString(UTF_8)).isEqualTo("text");
    }
    assertThat(indexOf(plain).restarts()).isEmpty();
    assertThat(indexOf(gzip).restarts().orElseThrow().count()).isEqualTo(1);
  }

  @Test
  void sampleOfACompressedShardThatMemoryDoesNotHoldIsDigestedToo() throws IOException {
    String large = "0123456789abcdef".repeat(100_000);
    Path shard =
        new ShardFiles()
            .with("a.txt", large)
            .with("a.bin", large + "b")
            .with("b.txt", "b")
            .with("b.bin", "c")
            .writeGzip(directory.resolve("large.tar.gz"));

    succeed("index", shard);

    assertThat(indexOf(shard).sampleDigest(0)).isEqualTo(digest("bin", large + "b", "txt", large));
    assertThat(indexOf(shard).sampleDigest(1)).isEqualTo(digest("bin", "c", "txt", "b"));
  }

  @Test
  void compressedShardIsEnteredAtEachOfItsParts() throws IOException {
    byte[] noise = new byte[200_000];
    new Random(5).nextBytes(noise);
    byte[] tar = files().with("c.bin", noise).with("d.txt", "the end").bytes();
    int[] cuts = {0, 1000, 1000, 150_000, 310_000, 450_000, tar.length};
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    ByteArrayOutputStream zstd = new ByteArrayOutputStream();
    zstd.writeBytes(new byte[] {0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9});
    for (int i = 1; i < cuts.length; i++) {
      byte[] part = Arrays.copyOfRange(tar, cuts[i - 1], cuts[i]);
      try (GZIPOutputStream member = new GZIPOutputStream(gzip)) {
        member.write(part);
      }
      zstd.writeBytes(Zstd.compress(part));
    }
    Path gzipShard = Files.write(directory.resolve("a.tar.gz"), gzip.toByteArray());
    Path zstdShard = Files.write(directory.resolve("a.tar.zst"), zstd.toByteArray());

    succeed("index", gzipShard, zstdShard);

    for (Path shard : new Path[] {gzipShard, zstdShard}) {
      assertThat(indexOf(shard).restarts().orElseThrow().count()).isEqualTo(5);
      byte[] stored = Files.readAllBytes(shard);
      Arrays.fill(stored, 0, 20, (byte) 0);
      Files.write(shard, stored);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CommandLineRun cat = CommandLineRun.writing(bytes, "cat", shard, "c.bin", "d.txt");
      assertThat(cat.exitCode()).as(cat.err()).isZero();
      assertThat(Arrays.copyOf(bytes.toByteArray(), noise.length)).isEqualTo(noise);
    }
  }

  @Test
  void shardsMadeElsewhereBecomeADataset() throws IOException {
    Path folder = Files.createDirectories(directory.resolve("set/deep"));
    files().write(directory.resolve("set/0.tar"));
    files().writeGzip(folder.resolve("1.tar.gz"));

    CommandLineRun index = succeed("index", "--manifest", directory.resolve("set"));

    assertThat(index.out()).contains("dataset sha256:");
    assertThat(succeed("ls", directory.resolve("set")).out()).contains("0.tar", "deep/1.tar.gz");
    succeed("verify", directory.resolve("set"));
    assertThat(Files.readString(directory.resolve("set/dataset.json"), UTF_8))
        .contains("\"encoder\" : \"unknown\"", "\"compression\" : \"gzip\"");

    CommandLineRun again = run("index", "--manifest", directory.resolve("set"));
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("exists already; --force replaces it");
    CommandLineRun forced = succeed("index", "--manifest", "--force", directory.resolve("set"));
    assertThat(forced.out()).contains("2 indexes written");
  }

  @Test
  void problemsOfIndexesAreRepairedAsVerifySays() throws IOException {
    Path source = Files.createDirectory(directory.resolve("source"));
    Files.writeString(source.resolve("a.txt"), "a", UTF_8);
    Files.writeString(source.resolve("b.txt"), "b", UTF_8);
    succeed("pack", source, directory.resolve("set"));
    Path shard = directory.resolve("set/shard-000000.tar");
    Path index = Path.of(shard + ".tarnidx");
    byte[] right = Files.readAllBytes(index);
    Files.write(index, new byte[9]);
    assertThat(run("verify", directory.resolve("set")).err())
        .contains("repair: sharder index --force " + shard);

    succeed("index", "--force", shard);

    assertThat(Files.readAllBytes(index)).isEqualTo(right);
    succeed("verify", directory.resolve("set"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "zstd"})
  void indexOfAShardThatWePackedIsMadeAnewByteForByte(String compression) throws IOException {
    Path source = Files.createDirectory(directory.resolve("source"));
    byte[] noise = new byte[1_500_000];
    Random random = new Random(3);
    for (int i = 0; i < 8; i++) {
      random.nextBytes(noise);
      Files.write(source.resolve(i + ".bin"), noise);
    }
    Path set = directory.resolve("set");
    succeed("pack", source, set, "--compress", compression);
    Path index;
    try (var files = Files.list(set)) {
      index = files.filter(file -> file.toString().endsWith(".tarnidx")).findFirst().orElseThrow();
    }
    byte[] right = Files.readAllBytes(index);
    Files.delete(index);

    succeed("index", set);

    assertThat(Files.readAllBytes(index)).isEqualTo(right);
    succeed("verify", set);
  }

  @Test
  void otherProgramsGetTheirIndexes() throws IOException {
    Path shard = files().write(directory.resolve("0.tar"));
    files().writeGzip(directory.resolve("1.tar.gz"));

    CommandLineRun index =
        succeed("index", "--wids", directory.resolve("all.json"), "--dali", directory);

    assertThat(index.err()).contains("1.tar.gz: compressed, so that DALI cannot read it");
    assertThat(Files.readString(directory.resolve("all.json"), UTF_8))
        .isEqualToIgnoringWhitespace(
            """
            {"__kind__": "wids-shard-index-v1", "wids_version": 1, "name": "all", "shardlist": [
              {"url": "0.tar", "nsamples": 2, "filesize": %d},
              {"url": "1.tar.gz", "nsamples": 2, "filesize": %d}]}
            """
                .formatted(Files.size(shard), Files.size(directory.resolve("1.tar.gz"))));
    assertThat(Files.readString(directory.resolve("0.idx"), ISO_8859_1))
        .isEqualTo(
            """
            v1.2 2
            txt 1536 4 a.txt CLS 2560 1 a.CLS
            cls 3584 1 b.cls \u00ff 4608 0 b.\u00ff jpg 5120 300000 b.jpg
            """);
    assertThat(directory.resolve("1.idx")).doesNotExist();
  }

  @Test
  void blankInANameIsNothingForDali() throws IOException {
    Path shard = new ShardFiles().with("a b.txt", "").write(directory.resolve("0.tar"));

    CommandLineRun index = succeed("index", "--dali", shard);

    assertThat(index.err())
        .contains(shard + ": member \"a b.txt\" has a blank in its name", "no index for it");
    assertThat(directory.resolve("0.idx")).doesNotExist();
    succeed("verify", shard);
  }

  @Test
  void compressedShardsInTheListOfWidsAreSaid() throws IOException {
    Path shard = files().writeGzip(directory.resolve("0.tar.gz"));

    assertThat(succeed("index", "--wids", directory.resolve("all.json"), shard).err())
        .contains(shard + ": compressed, so that wids cannot read it");
  }

  @Test
  void dryRunWritesNothingAndSaysWhatItWould() throws IOException {
    Path shard = files().write(directory.resolve("0.tar"));
    Path compressed = files().writeGzip(directory.resolve("1.tar.gz"));

    CommandLineRun index =
        succeed(
            "index",
            "--dry-run",
            "--manifest",
            "--dali",
            "--wids",
            directory + "/w",
            shard,
            compressed);

    assertThat(index.out().lines())
        .containsExactly(
            "would write " + shard + ".tarnidx",
            "would write " + directory.resolve("0.idx"),
            "would write " + compressed + ".tarnidx",
            "would write " + directory.resolve("w"),
            "would write " + directory.resolve("dataset.json"));
    try (var left = Files.list(directory)) {
      assertThat(left).containsExactlyInAnyOrder(shard, compressed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--dry-run", "--jobs=2"})
  void indexOfDalisThatIsThereIsReplacedByForceAlone(String option) throws IOException {
    Path shard = files().write(directory.resolve("0.tar"));
    Path mine = Files.writeString(directory.resolve("0.idx"), "mine", UTF_8);

    CommandLineRun index = run("index", "--dali", option, shard);

    assertThat(index.exitCode()).isEqualTo(1);
    assertThat(index.err()).contains(mine + ": exists already; --force replaces it");
    assertThat(mine).hasContent("mine");
    assertThat(Path.of(shard + ".tarnidx")).doesNotExist();
    succeed("index", "--dali", "--force", "--jobs=2", shard);
    assertThat(mine).content(UTF_8).startsWith("v1.2 2");
  }

  @Test
  void indexesOfDaliThatAnInterruptedRunWroteAreNotInTheWay() throws IOException {
    Path first = files().write(directory.resolve("0.tar"));
    Path second = files().write(directory.resolve("1.tar"));
    succeed("index", "--dali", first);

    succeed("index", "--dali", first, second);

    assertThat(directory.resolve("1.idx")).hasSameBinaryContentAs(directory.resolve("0.idx"));
    Files.writeString(directory.resolve("0.idx"), "more", UTF_8, StandardOpenOption.APPEND);
    assertThat(run("index", "--dali", first, second).err())
        .contains(directory.resolve("0.idx") + ": exists already; --force replaces it");
  }

  @Test
  void manifestThatIsWrittenAnewKeepsWhatTheShardsDoNotSay() throws IOException {
    Path source = directory.resolve("source");
    for (int i = 0; i < 40; i++) {
      Path folder = Files.createDirectories(source.resolve("class" + i % 2));
      Files.writeString(folder.resolve(i + ".txt"), "text " + i, UTF_8);
    }
    Path set = directory.resolve("set");
    succeed(
        "pack", source, set, "--label-from=dirname", "--split=train=0.5,val=0.5", "--max-count=9");
    byte[] manifest = Files.readAllBytes(set.resolve("dataset.json"));
    Path index = set.resolve("train/shard-000000.tar.tarnidx");
    byte[] bytes = Files.readAllBytes(index);

    for (Path named : new Path[] {set, set.resolve("dataset.json")}) {
      succeed("index", "--manifest", "--force", named);
      assertThat(Files.readAllBytes(set.resolve("dataset.json"))).isEqualTo(manifest);
    }
    assertThat(Files.readAllBytes(index)).isEqualTo(bytes);
    succeed("pack", source, set, "--label-from=dirname", "--split=train=0.5,val=0.5", "--append");
  }

  @Test
  void indexThatIsCorruptIsSaidWithTheCommandThatMakesItAnew() throws IOException {
    Path shard = files().write(directory.resolve("0.tar"));
    Path index = Files.write(directory.resolve("0.tar.tarnidx"), new byte[100]);

    CommandLineRun run = run("index", shard);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains(index + " at byte ", "; sharder index --force " + shard + " makes it again");
  }

  @Test
  void indexOfAnotherShardIsSaidAndForceMakesItAnew() throws IOException {
    Path shard = files().write(directory.resolve("0.tar"));
    succeed("index", shard);
    files().with("c.txt", "x".repeat(20_000)).write(shard);

    CommandLineRun index = run("index", shard);

    assertThat(index.exitCode()).isEqualTo(1);
    assertThat(index.err()).contains("the index is of a shard of").contains("--force");
    succeed("index", shard, "--force");
    succeed("verify", shard);
  }

  @Test
  void filesBesideShardsAreNotTakenForSome() throws IOException {
    Path set = Files.createDirectory(directory.resolve("set"));
    files().write(set.resolve("a.tar"));
    for (String beside : new String[] {"a.tar.md5", "a.tar.idx", "a.tar.json", "a.tar.tarnidx.x"}) {
      Files.writeString(set.resolve(beside), "0123", UTF_8);
    }
    files().writeGzip(set.resolve("b.tzst"));

    assertThat(succeed("index", set).out()).contains("2 shards", "2 indexes written");
    assertThat(succeed("ls", set.resolve("b.tzst")).out()).contains("README");
    succeed("verify", set.resolve("a.tar"), set.resolve("b.tzst"));
  }

  @Test
  void datasetIsListedByTheNameOfItsManifest() throws IOException {
    Path set = Files.createDirectory(directory.resolve("set"));
    files().write(set.resolve("a.tar"));
    succeed("index", "--manifest", set);

    assertThat(succeed("ls", set.resolve("dataset.json")).out())
        .isEqualTo(succeed("ls", set).out())
        .contains("a.tar");
  }

  @Test
  void whatIsNoShardGetsNoIndex() throws IOException {
    Path cut = directory.resolve("cut.tar");
    Files.write(cut, Arrays.copyOf(files().bytes(), 3000));
    Path twice =
        new ShardFiles().with("a.txt", "").with("a.TXT", "").write(directory.resolve("twice.tar"));

    assertThat(run("index", cut).err()).contains("cut short");
    assertThat(run("index", twice).err()).contains("the second of its sample");
    assertThat(run("index", directory.resolve("nothing")).exitCode()).isEqualTo(1);
    assertThat(run("index", Files.createDirectory(directory.resolve("empty"))).err())
        .contains("no shard below it");
    assertThat(run("index", "--manifest", "a/0.tar", "b/0.tar").exitCode()).isEqualTo(2);
    assertThat(Path.of(cut + ".tarnidx")).doesNotExist();
    assertThat(Path.of(twice + ".tarnidx")).doesNotExist();
  }
}
