package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.source.archive.ArchiveFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SharderMainTest {
  @TempDir Path directory;

  @BeforeEach
  void makeFiles() throws IOException {
    Path source = Files.createDirectories(directory.resolve("source/d"));
    for (int i = 0; i < 10; i++) {
      Files.writeString(source.resolve(i + ".txt"), "text " + i, UTF_8);
      Files.writeString(source.resolve(i + ".cls"), "" + i, UTF_8);
    }
    Files.writeString(source.resolve("README"), "none", UTF_8);
  }

  private static CommandLineRun run(String... arguments) {
    return CommandLineRun.of((Object[]) arguments);
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  @Test
  void datasetIsPackedListedAndVerified() {
    CommandLineRun pack =
        run("pack", path("source"), path("set"), "--max-count", "4", "--seed", "1");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.out()).contains("packed 10 samples of 20 files into 3 shards of 30.0 KiB");
    assertThat(pack.err()).contains("left out 1 file").contains("\"d/README\"");

    CommandLineRun ls = run("ls", path("set"));
    assertThat(ls.exitCode()).isZero();
    assertThat(ls.out())
        .contains("4 samples          8 files shard-000000.tar")
        .contains("10 samples of 20 files in 3 shards")
        .contains(pack.out().substring(pack.out().indexOf("dataset sha256:")).strip());

    CommandLineRun members = run("ls", path("set/shard-000002.tar"));
    assertThat(members.exitCode()).isZero();
    assertThat(members.out().lines()).hasSize(4);
    assertThat(members.out()).containsPattern("(?m)^ +1 +512 d/\\d\\.cls$");

    CommandLineRun verify = run("verify", path("set"));
    assertThat(verify.exitCode()).as(verify.err()).isZero();
    assertThat(verify.out()).contains("verified 10 samples in 3 shards");
  }

  @Test
  void quietCommandPrintsWarningsAlone() {
    CommandLineRun pack = run("pack", path("source"), path("set"), "--quiet");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.out()).isEmpty();
    assertThat(pack.err().lines()).singleElement().asString().contains("left out 1 file");
  }

  @Test
  void quietCommandTellsProgramsNoSummaryEither() {
    CommandLineRun pack = run("pack", path("source"), path("set"), "--quiet", "--json");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.out().lines()).singleElement().asString().startsWith("{\"event\":\"warning\"");
  }

  @Test
  void wrongUsageIsSaidInALine() {
    CommandLineRun pack = run("pack", path("source"), path("set"), "--jobs=0");
    CommandLineRun json = run("pack", "--json", path("source"), path("set"), "--jobs=0");
    CommandLineRun unknown = run("pack", "--max-conut=3", path("source"), path("set"));

    assertThat(pack.exitCode()).isEqualTo(2);
    assertThat(pack.err().lines())
        .containsExactly("sharder: --jobs 0: from 1 to 256; sharder pack --help says more");
    assertThat(json.exitCode()).isEqualTo(2);
    assertThat(json.err()).isEmpty();
    assertThat(json.out().lines())
        .containsExactly(
            "{\"event\":\"error\",\"message\":"
                + "\"--jobs 0: from 1 to 256; sharder pack --help says more\"}");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err())
        .startsWith("sharder: Unknown option: '--max-conut=3'; sharder pack --help says more")
        .contains("Did you mean --max-count?");
  }

  @Test
  void columnThatNoRowOfAListHasIsSaid() throws IOException {
    Path list = directory.resolve("rows.jsonl");
    Files.writeString(list, "{\"url\": \"x.txt\", \"caption\": \"a\"}\n", UTF_8);
    Files.writeString(directory.resolve("x.txt"), "x", UTF_8);

    CommandLineRun pack =
        run("pack", list.toString(), path("listed"), "--member=captoin=txt", "--member=caption=c");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.err().lines())
        .containsExactly(
            "sharder: "
                + list
                + ": no row has a value in column \"captoin\", which --member names");
  }

  @Test
  void columnsWithoutAListAreRefused() {
    for (String command : new String[] {"pack", "plan"}) {
      CommandLineRun run =
          run(command, path("source"), path("set"), "--dry-run", "--member=text=json");

      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).contains("need a SOURCE that is a list");
    }
  }

  @Test
  void programsAreToldAllInLinesOfJson() {
    CommandLineRun pack = run("pack", path("source"), path("set"), "--json");

    assertThat(pack.err()).isEmpty();
    assertThat(pack.out().lines().toList())
        .satisfiesExactly(
            warning ->
                assertThat(warning)
                    .startsWith("{\"event\":\"warning\",\"message\":\"left out 1 file")
                    .contains("\\\"d/README\\\""),
            summary ->
                assertThat(summary)
                    .startsWith(
                        "{\"event\":\"summary\",\"command\":\"pack\",\"samples\":10,"
                            + "\"files\":20,\"shards\":1,\"bytes\":30720,\"sha256\":\""));

    CommandLineRun again = run("pack", path("source"), path("set"), "--json");

    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).isEmpty();
    assertThat(again.out()).startsWith("{\"event\":\"error\",\"message\":");
  }

  @Test
  void listsAndArchivesArePackedTogether() throws IOException {
    Files.write(
        directory.resolve("a.tar.gz"),
        ArchiveFiles.gzip(ArchiveFiles.tar(Map.of("x/1.bin", new byte[3]))));
    Files.write(directory.resolve("b.zip"), ArchiveFiles.zip(Map.of("y/1.bin", new byte[4])));
    Files.writeString(
        directory.resolve("c.csv"), "id,file,text,no\n1,source/d/1.txt,one,0\n", UTF_8);

    CommandLineRun pack =
        run(
            "pack",
            path("a.tar.gz"),
            path("b.zip"),
            path("c.csv"),
            path("source"),
            path("set"),
            "--url-column=file",
            "--key-column=id",
            "--member=text=json",
            "--member=no=");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.out()).contains("packed 13 samples of 24 files into 1 shard");
    assertThat(pack.err()).contains("a.tar.gz: is compressed as a whole");
    assertThat(run("ls", path("set/shard-000000.tar")).out())
        .contains(" x/1.bin", " y/1.bin", " 1.txt", " 1.json", " d/1.txt")
        .doesNotContain("1.no");
    assertThat(run("verify", path("set")).exitCode()).isZero();
  }

  @Test
  void corruptDatasetFailsVerification() throws IOException {
    run("pack", path("source"), path("set"));
    Path shard = directory.resolve("set/shard-000000.tar");
    byte[] bytes = Files.readAllBytes(shard);
    bytes[600] ^= 1;
    Files.write(shard, bytes);

    CommandLineRun verify = run("verify", path("set"));

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err()).contains(shard.toString()).contains("1 problem in");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "pack",
        "pack a",
        "pack a b --member x",
        "pack a b --member x=y/z",
        "pack a b --unknown",
        "pack a b --max-size 12parsecs",
        "pack a b --max-size 0",
        "pack a b --max-count 0",
        "pack a b --max-count x",
        "pack a b --seed 1.5",
        "pack a b --pattern shard.tar",
        "pack a b --jobs 0",
        "pack a b --jobs 1000",
        "pack a b --dots sometimes",
        "pack a a/b",
        "pack a ./a",
        "pack ftp://a b",
        "pack s3:// b",
        "verify",
        "verify a --jobs 0",
        "ls",
        "cat a.tar",
        "cat a.tar \"b",
        "stats",
        "stats a{.tar",
        "stats a --jobs 0",
        "unknown",
      })
  void wrongUsageExitsWithTwoAndNoStackTrace(String line) {
    CommandLineRun outcome = run(line.isEmpty() ? new String[0] : line.split(" "));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).isNotBlank().doesNotContain("\tat ");
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pack nowhere set | nowhere: no such file or directory",
        "pack source/d/README set | is no source",
        "pack source/d/1.txt set | source/d/1.txt line 1",
        "pack none.tar set | none.tar: cannot look it up: no such file or directory",
        "verify nowhere | there is no dataset",
        "ls nowhere | there is no dataset",
        "ls source/d/none.tar | none.tar",
      })
  void failureExitsWithOneAndNamesWhatIsMissing(String line, String message) {
    String[] arguments = line.split(" ");
    for (int i = 1; i < arguments.length; i++) {
      arguments[i] = path(arguments[i]);
    }

    CommandLineRun outcome = run(arguments);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).startsWith("sharder: ").contains(message).doesNotContain("\tat ");
    assertThat(directory.resolve("set").resolve(DatasetManifest.FILE_NAME)).doesNotExist();
  }

  @Test
  void stackTraceIsForThoseWhoAskForIt() {
    assertThat(run("verify", path("nowhere"), "--debug").err()).contains("\tat ");
  }

  @Test
  void secondPackIntoTheSamePlaceIsRefused() {
    run("pack", path("source"), path("set"));

    CommandLineRun again = run("pack", path("source"), path("set"));

    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("a dataset is there already");
  }

  @Test
  void symbolicLinkThatLeadsNowhereIsNamed() throws IOException {
    Path file = directory.resolve("source/d/3.txt");
    Files.delete(file);
    Files.createSymbolicLink(file, file);

    CommandLineRun pack = run("pack", path("source"), path("set"));

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err()).contains("3.txt").doesNotContain("\tat ");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "256MiB, 268435456", "1kb, 1000", "2 GiB, 2147483648", "7TB, 7000000000000"})
  void sizesAreReadAsPeopleWriteThem(String text, long bytes) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 B", "1023, 1023 B", "1536, 1.5 KiB", "268435456, 256 MiB"})
  void sizesArePrintedForPeople(long bytes, String text) {
    assertThat(ByteSize.print(bytes)).isEqualTo(text);
  }
}
