package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardIndexBuilder;
import dev.tarn.shard.index.ShardRestarts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VerifyCommandTest {
  @TempDir Path directory;

  private Path set = Path.of("");
  private Path shard = Path.of("");
  private Path index = Path.of("");

  @BeforeEach
  void pack() throws IOException {
    Path source = Files.createDirectories(directory.resolve("source"));
    for (int i = 0; i < 40; i++) {
      Files.writeString(source.resolve(i + ".txt"), "text " + i, UTF_8);
    }
    set = directory.resolve("set");
    CommandLineRun pack = CommandLineRun.of("pack", source, set, "--max-count", "20");
    assertThat(pack.exitCode()).as(pack.err()).isZero();
    shard = set.resolve("shard-000000.tar");
    index = set.resolve("shard-000000.tar.tarnidx");
  }

  private static void flip(Path file, long offset) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(offset);
      int right = bytes.read();
      bytes.seek(offset);
      bytes.write(right ^ 1);
    }
  }

  @Test
  void datasetThatIsRightIsVerified() {
    CommandLineRun verify = CommandLineRun.of("verify", set);

    assertThat(verify.exitCode()).as(verify.err()).isZero();
    assertThat(verify.out()).contains("verified 40 samples in 2 shards");
    assertThat(verify.err()).isEmpty();
  }

  @Test
  void shardsByThemselvesAreVerifiedByTheirIndexes() throws IOException {
    CommandLineRun right = CommandLineRun.of("verify", set + "/shard-{000000..000001}.tar");
    assertThat(right.exitCode()).as(right.err()).isZero();
    assertThat(right.out()).contains("verified 40 files in 2 shards");

    flip(shard, 512);
    CommandLineRun wrong = CommandLineRun.of("verify", shard);

    assertThat(wrong.exitCode()).isEqualTo(1);
    assertThat(wrong.err())
        .contains("member-crc32c: " + shard + ": the data of member \"0.txt\" at byte 512")
        .contains("shard-crc32c: " + shard + ": the CRC32C is")
        .contains("its index says")
        .doesNotContain("index-differs", "repair:");
  }

  @Test
  void everyProblemIsNamedAndNotTheFirstAlone() throws IOException {
    Files.delete(shard);
    flip(set.resolve("shard-000001.tar"), 512);

    CommandLineRun verify = CommandLineRun.of("verify", set);

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err())
        .contains("shard-missing: " + shard)
        .contains("member-crc32c: " + set.resolve("shard-000001.tar"))
        .contains("samples-sha256: " + set.resolve("shard-000001.tar"))
        .contains("4 problems in " + set);
  }

  @Test
  void indexThatIsMissingOrCorruptIsSaidWithTheCommandThatRepairsIt() throws IOException {
    byte[] right = Files.readAllBytes(index);

    Files.delete(index);
    assertThat(CommandLineRun.of("verify", set).err())
        .contains(
            "index-missing: "
                + index
                + ": the shard has no index; repair: sharder index --force "
                + shard);

    Files.write(index, new byte[100]);
    assertThat(CommandLineRun.of("verify", set).err())
        .contains("index-corrupt: " + index + ": at byte ")
        .contains("repair: sharder index --force " + shard);

    byte[] wrong = right.clone();
    wrong[right.length - 1] ^= 1;
    Files.write(index, wrong);
    assertThat(CommandLineRun.of("verify", set).err()).contains("index-corrupt: " + index);
  }

  @Test
  void indexWithAnotherDigestOfASampleIsSaid() throws IOException {
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(index));
    ShardIndex right = ShardIndex.of("index", file);
    ShardIndexBuilder builder = new ShardIndexBuilder();
    for (int i = 0; i < right.sampleCount(); i++) {
      IndexedMember member = right.member(i);
      builder.addMember(member.name(), member.offset(), member.size(), member.crc32c());
      builder.endSample(i == 7 ? new byte[32] : right.sampleDigest(i));
    }
    Files.write(index, builder.build(right.shardLength(), right.storedCrc32c()).array());

    CommandLineRun verify = CommandLineRun.of("verify", shard);

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err())
        .contains("index-differs: " + index + ": the digest of sample 7 does not match the")
        .contains("repair: sharder index --force " + shard);
  }

  @Test
  void indexThatEntersACompressedShardElsewhereIsSaid() throws IOException {
    Path zipped = directory.resolve("zipped");
    CommandLineRun pack =
        CommandLineRun.of("pack", directory.resolve("source"), zipped, "--compress", "gzip");
    assertThat(pack.exitCode()).as(pack.err()).isZero();
    Path gzip = zipped.resolve("shard-000000.tar.gz");
    Path itsIndex = zipped.resolve("shard-000000.tar.gz.tarnidx");
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(itsIndex));
    ShardIndex right = ShardIndex.of("index", file);
    ShardIndexBuilder builder = new ShardIndexBuilder();
    for (int i = 0; i < right.sampleCount(); i++) {
      IndexedMember member = right.member(i);
      builder.addMember(member.name(), member.offset(), member.size(), member.crc32c());
      builder.endSample(right.sampleDigest(i));
    }
    ShardRestarts beginning =
        new ShardRestarts(Compression.GZIP, right.storedLength(), new long[] {0}, new long[] {0});
    Files.write(
        itsIndex, builder.build(right.shardLength(), right.storedCrc32c(), beginning).array());

    assertThat(CommandLineRun.of("verify", gzip).err())
        .contains("index-differs: " + itsIndex + ": the index names other places");
  }

  @Test
  void indexOfAnotherShardIsSaid() throws IOException {
    Files.copy(set.resolve("shard-000001.tar.tarnidx"), index, StandardCopyOption.REPLACE_EXISTING);

    CommandLineRun verify = CommandLineRun.of("verify", set);

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err())
        .contains("index-sha256: " + index)
        .contains("samples-sha256: " + index)
        .contains("index-differs: " + index + ": where the shard has member \"0.txt\"")
        .contains("repair: sharder index --force " + shard)
        .doesNotContain("samples-sha256: " + shard + ":", "shard-corrupt");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 512, 600, 1100})
  void shardThatIsCutShortIsCorrupt(long length) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(shard.toFile(), "rw")) {
      bytes.setLength(length);
    }

    CommandLineRun verify = CommandLineRun.of("verify", set);

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err()).contains("shard-corrupt: " + shard + ": at byte ", "cut short");
  }

  @Test
  void manyWrongMembersAreCountedAndNotListed() throws IOException {
    for (int i = 0; i < 20; i++) {
      flip(shard, 512 + i * 1024L);
    }

    CommandLineRun verify = CommandLineRun.of("verify", shard);

    assertThat(verify.err().lines().filter(line -> line.contains("member-crc32c"))).hasSize(11);
    assertThat(verify.err()).contains("so is the data of 10 more members");
  }

  @Test
  void compressedShardsAreVerifiedToTheirEnd() throws IOException {
    ShardFiles files = new ShardFiles().with("a.txt", "a").with("b.txt", "b");
    Path compressed = files.writeGzip(directory.resolve("c.tar.gz"));
    assertThat(CommandLineRun.of("verify", compressed).err())
        .contains("index-missing")
        .contains("1 problem");

    byte[] bytes = Files.readAllBytes(compressed);
    Files.write(compressed, java.util.Arrays.copyOf(bytes, bytes.length - 4));
    assertThat(CommandLineRun.of("verify", compressed).err())
        .contains("shard-corrupt: " + compressed + ": at byte ")
        .contains("the archive cannot be decompressed: the gzip data is cut short");
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify", "index"})
  void folderOfTemporaryFilesIsBlamedAndNotTheShard(String command) throws IOException {
    Path compressed =
        new ShardFiles()
            .with("a.txt", new byte[1_500_000])
            .with("a.cls", "1")
            .writeGzip(directory.resolve("c.tar.gz"));
    Path none = directory.resolve("none");

    CommandLineRun run = CommandLineRun.of(command, "--temp-dir", none, compressed);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "sharder: "
                + none
                + ": cannot store a sample of a compressed shard there: it is not a directory;"
                + " choose another folder with --temp-dir");
  }

  @Test
  void programsGetAProblemALine() throws IOException {
    Files.delete(index);

    CommandLineRun verify = CommandLineRun.of("verify", set, "--json");

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err()).isEmpty();
    assertThat(verify.out().lines().toList())
        .contains(
            "{\"event\":\"problem\",\"kind\":\"index-missing\",\"place\":\""
                + index
                + "\",\"message\":\"the shard has no index\",\"repair\":\"sharder index --force "
                + shard
                + "\"}")
        .anyMatch(line -> line.startsWith("{\"event\":\"summary\",\"command\":\"verify\""))
        .anyMatch(line -> line.contains("\"problems\":1"));
  }

  @Test
  void datasetThatIsNotThereIsAFailure() {
    CommandLineRun verify = CommandLineRun.of("verify", directory.resolve("none"));

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err()).contains("there is no dataset");
  }
}
