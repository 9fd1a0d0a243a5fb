package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CatCommandTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Path shard = Path.of("");

  @BeforeEach
  void pack() throws IOException {
    Path source = Files.createDirectories(directory.resolve("source/d"));
    for (int i = 0; i < 10; i++) {
      Files.writeString(source.resolve(i + ".txt"), "text " + i, UTF_8);
    }
    CommandLineRun pack = CommandLineRun.of("pack", source, directory.resolve("set"));
    assertThat(pack.exitCode()).as(pack.err()).isZero();
    shard = directory.resolve("set/shard-000000.tar");
  }

  private CommandLineRun cat(Object... members) {
    Object[] arguments = new Object[members.length + 1];
    arguments[0] = "cat";
    System.arraycopy(members, 0, arguments, 1, members.length);
    bytes.reset();
    return CommandLineRun.writing(bytes, arguments);
  }

  @Test
  void membersAreWrittenOneAfterTheOther() {
    CommandLineRun cat = cat(shard, "7.txt", "2.txt");

    assertThat(cat.exitCode()).as(cat.err()).isZero();
    assertThat(bytes.toString(UTF_8)).isEqualTo("text 7text 2");
  }

  @Test
  void onlyTheMembersBytesAreReadWithTheIndex() throws IOException {
    byte[] broken = Files.readAllBytes(shard);
    java.util.Arrays.fill(broken, 0, 512, (byte) 'x');
    Files.write(shard, broken);

    assertThat(cat(shard, "7.txt").exitCode()).isZero();
    assertThat(bytes.toString(UTF_8)).isEqualTo("text 7");
    Files.delete(directory.resolve("set/shard-000000.tar.tarnidx"));
    assertThat(cat(shard, "7.txt").exitCode()).isEqualTo(1);
  }

  @Test
  void shardWithoutIndexIsReadUpToTheMember() throws IOException {
    ShardFiles files =
        new ShardFiles()
            .with("README", "no sample")
            .with("a.\udcff", "not UTF-8")
            .with("a.txt", "first");
    Path plain = files.write(directory.resolve("plain.tar"));
    Path compressed = files.writeGzip(directory.resolve("small.tgz"));

    for (Path each : new Path[] {plain, compressed}) {
      CommandLineRun cat = cat(each, "a.txt", "README", "\"a.\\udcff\"");
      assertThat(cat.exitCode()).as(cat.err()).isZero();
      assertThat(bytes.toString(UTF_8)).isEqualTo("firstno samplenot UTF-8");
    }
  }

  @Test
  void memberThatIsNotThereIsSaid() {
    CommandLineRun cat = cat(shard, "11.txt");

    assertThat(cat.exitCode()).isEqualTo(1);
    assertThat(cat.err()).contains(shard.toString()).contains("has no member \"11.txt\"");
  }

  @Test
  void dataThatTheIndexDoesNotKnowIsAnError() throws IOException {
    byte[] broken = Files.readAllBytes(shard);
    broken[512] ^= 1;
    Files.write(shard, broken);

    CommandLineRun cat = cat(shard, "0.txt");

    assertThat(cat.exitCode()).isEqualTo(1);
    assertThat(cat.err()).contains("\"0.txt\" does not match the index");
  }

  @Test
  void indexOfAnotherShardIsAnError() throws IOException {
    new ShardFiles().with("0.txt", "other").write(shard);

    CommandLineRun cat = cat(shard, "0.txt");

    assertThat(cat.exitCode()).isEqualTo(1);
    assertThat(cat.err())
        .contains(shard + ".tarnidx at byte 0: the index is of a shard of ")
        .contains("; sharder index --force " + shard + " makes it again");
  }
}
