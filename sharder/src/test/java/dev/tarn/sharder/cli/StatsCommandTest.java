package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StatsCommandTest {
  @TempDir Path directory;

  private static final String[] STATS = {
    "3 samples of 5 files in 2 shards, 21 B of data",
    "",
    "         files      bytes   smallest    average    largest  extension",
    "             3       20 B        0 B        6 B       17 B  txt",
    "             2        1 B        0 B        0 B        1 B  cls",
    "",
    "       samples  with the files",
    "             2  cls txt",
    "             1  txt",
    "",
    "       samples  of the size",
    "             1        0 B and more ########################################",
    "             0        1 B and more",
    "             0        2 B and more",
    "             1        4 B and more ########################################",
    "             0        8 B and more",
    "             1       16 B and more ########################################",
  };

  private static CommandLineRun stats(Object... arguments) {
    CommandLineRun stats = CommandLineRun.of(arguments);
    assertThat(stats.exitCode()).as(stats.err()).isZero();
    return stats;
  }

  @Test
  void indexesAndShardsWithoutOneGiveTheSame() throws IOException {
    Path source = Files.createDirectory(directory.resolve("source"));
    Files.writeString(source.resolve("0.txt"), "", UTF_8);
    Files.writeString(source.resolve("0.cls"), "", UTF_8);
    Files.writeString(source.resolve("1.txt"), "abc", UTF_8);
    Files.writeString(source.resolve("1.cls"), "1", UTF_8);
    Files.writeString(source.resolve("2.txt"), "x".repeat(17), UTF_8);
    Path set = directory.resolve("set");
    assertThat(CommandLineRun.of("pack", source, set, "--max-count", "2").exitCode()).isZero();
    byte[] first = Files.readAllBytes(set.resolve("shard-000000.tar"));
    Files.write(set.resolve("shard-000000.tar"), new byte[first.length]);

    assertThat(stats("stats", set).out().lines()).containsExactly(STATS);
    assertThat(stats("stats", set.resolve("dataset.json")).out().lines()).containsExactly(STATS);

    Files.write(set.resolve("shard-000000.tar"), first);
    Files.delete(set.resolve("shard-000000.tar.tarnidx"));
    assertThat(stats("stats", set + "/shard-{000000..000001}.tar").out().lines())
        .containsExactly(STATS);
    assertThat(stats("stats", set, "--json").out().lines().toList())
        .last()
        .isEqualTo(
            "{\"event\":\"stats\",\"samples\":3,\"files\":5,\"shards\":2,\"bytes\":21,"
                + "\"extensions\":[{\"extension\":\"cls\",\"files\":2,\"bytes\":1,\"smallest\":0,"
                + "\"largest\":1},{\"extension\":\"txt\",\"files\":3,\"bytes\":20,\"smallest\":0,"
                + "\"largest\":17}],\"kinds\":[{\"extensions\":\"cls txt\",\"samples\":2},"
                + "{\"extensions\":\"txt\",\"samples\":1}],\"sample_sizes\":["
                + "{\"from\":0,\"to\":0,\"samples\":1},{\"from\":1,\"to\":1,\"samples\":0},"
                + "{\"from\":2,\"to\":3,\"samples\":0},{\"from\":4,\"to\":7,\"samples\":1},"
                + "{\"from\":8,\"to\":15,\"samples\":0},{\"from\":16,\"to\":31,\"samples\":1}]}");
  }

  @Test
  void extensionsWithoutEndAreCountedTogether() throws IOException {
    ShardFiles files = new ShardFiles();
    for (int i = 0; i < 5_000; i++) {
      files.with("image." + i, "");
    }
    Path shard = files.write(directory.resolve("many.tar"));

    assertThat(stats("stats", shard).out())
        .contains("1 sample of 5,000 files in 1 shard")
        .contains("           904        0 B        0 B        0 B        0 B  (others)")
        .contains("more extensions: see --json");
  }

  @Test
  void shardWithoutSamplesHasNone() throws IOException {
    Path shard = new ShardFiles().with("README", "x").write(directory.resolve("none.tar"));

    assertThat(stats("stats", shard).out()).startsWith("0 samples of 0 files in 1 shard");
  }

  @Test
  void failureOfOneShardIsTheCommands() throws IOException {
    new ShardFiles().with("a.txt", "x").write(directory.resolve("0.tar"));
    Files.write(directory.resolve("1.tar"), new byte[100]);

    CommandLineRun stats = CommandLineRun.of("stats", directory + "/{0..3}.tar");

    assertThat(stats.exitCode()).isEqualTo(1);
    assertThat(stats.err()).contains("1.tar").contains("cut short");
  }
}
