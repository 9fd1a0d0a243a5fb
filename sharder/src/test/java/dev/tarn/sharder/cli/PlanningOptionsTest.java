package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of planning, as the commands take them. */
final class PlanningOptionsTest {
  @TempDir Path directory;

  @BeforeEach
  void makeFiles() throws IOException {
    for (String name :
        List.of("cat/1.jpg", "cat/1.json", "cat/2.jpg", "dog/3.jpg", "dog/3.json", "dog/4.txt")) {
      Path file = directory.resolve("source").resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, name);
    }
  }

  private CommandLineRun pack(String... options) {
    List<Object> words = new ArrayList<>(List.of("pack", path("source"), path("set")));
    words.addAll(List.of(options));
    return CommandLineRun.of(words.toArray());
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private String cat(String member) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CommandLineRun cat = CommandLineRun.writing(bytes, "cat", path("set/shard-000000.tar"), member);
    assertThat(cat.exitCode()).as(cat.err()).isZero();
    return bytes.toString(UTF_8);
  }

  private DatasetManifest manifest() throws IOException {
    return DatasetManifest.parse(
        "dataset.json", Files.readAllBytes(directory.resolve("set/dataset.json")));
  }

  private List<String> shards() throws IOException {
    return manifest().shards().stream().map(ShardEntry::name).toList();
  }

  @Test
  void extensionsArePackedInLowerCaseOnRequest() throws IOException {
    Path files = Files.createDirectories(directory.resolve("upper"));
    Files.writeString(files.resolve("A.JPEG"), "a");
    Files.writeString(files.resolve("A.Seg.PNG"), "b");
    String set = path("set");

    CommandLineRun pack =
        CommandLineRun.of("pack", "--lower-case-extensions", files.toString(), set);

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.err()).doesNotContain("upper case");
    assertThat(cat("A.jpeg")).isEqualTo("a");
    assertThat(cat("A.seg.png")).isEqualTo("b");
    assertThat(manifest().packs().getFirst().options())
        .containsEntry("lower_case_extensions", "true");
    assertThat(CommandLineRun.of("lint", set).out()).doesNotContain("upper-case-extension");
  }

  @Test
  void extensionsInUpperCaseAreReportedWithTheRemedy() throws IOException {
    Path files = Files.createDirectories(directory.resolve("upper"));
    Files.writeString(files.resolve("A.JPEG"), "a");
    Files.writeString(files.resolve("B.JPEG"), "b");
    Files.writeString(files.resolve("c.jpeg"), "c");

    CommandLineRun pack = CommandLineRun.of("pack", files.toString(), path("set"));

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.err())
        .contains(
            "packs 2 files with extensions in upper case; --lower-case-extensions packs them in"
                + " lower case: \"A.JPEG\", \"B.JPEG\"");
    CommandLineRun again = CommandLineRun.of("pack", "--append", files.toString(), path("set"));
    assertThat(again.err()).doesNotContain("upper case");
  }

  @Test
  void extensionsThatBecomeTheSameAreAnError() throws IOException {
    Path files = Files.createDirectories(directory.resolve("upper"));
    Files.writeString(files.resolve("a.jpg"), "a");
    Files.writeString(files.resolve("a.JPG"), "b");

    CommandLineRun pack =
        CommandLineRun.of("pack", "--lower-case-extensions", files.toString(), path("set"));

    assertThat(pack.exitCode()).isNotZero();
    assertThat(pack.err()).contains("a.jpg");
  }

  @Test
  void splitsAndRoutesPlaceTheShards() throws IOException {
    Path routes =
        Files.writeString(directory.resolve("routes"), "\ufeffdog/* to dogs-%d.tar # all\n*/2 -\n");

    CommandLineRun pack = pack("--split", "train=1", "--route", routes.toString());

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.err()).contains("left out 1 file by --route: \"cat/2.jpg\"");
    assertThat(shards()).containsExactly("train/dogs-0.tar", "train/shard-000000.tar");
    assertThat(manifest().shards()).allMatch(shard -> shard.split().orElseThrow().equals("train"));
    assertThat(CommandLineRun.of("verify", path("set")).exitCode()).isZero();
  }

  @Test
  void labelsAreNumberedInAFileThatTheManifestNames() throws IOException {
    CommandLineRun pack =
        pack("--label-from", "dirname", "--require", "jpg,json", "--missing", "exclude");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.err())
        .contains("left out 2 samples that lack one of jpg, json: \"cat/2\", \"dog/4\"");
    byte[] file = Files.readAllBytes(directory.resolve("set/classes.json"));
    assertThat(file).asString().isEqualTo("{\n  \"cat\" : 0,\n  \"dog\" : 1\n}\n");
    assertThat(manifest().classes())
        .contains(new FileEntry("classes.json", file.length, Sha256.digest(ByteBuffer.wrap(file))));
    assertThat(cat("dog/3.cls")).isEqualTo("1");
    assertThat(CommandLineRun.of("verify", path("set")).exitCode()).isZero();
  }

  @Test
  void reportThatCannotBeWrittenIsNamed() {
    CommandLineRun pack = pack("--require", "jpg", "--on-error", "skip", "--report", "/dev/full");

    assertThat(pack.exitCode()).isOne();
    assertThat(pack.err())
        .contains("cannot write the report of what is left out (--report): No space left");
  }

  @Test
  void errorsAreSkippedAndReported() throws IOException {
    Path report = directory.resolve("report");

    CommandLineRun pack =
        pack(
            "--require",
            "jpg",
            "--on-error",
            "skip",
            "--errors-max",
            "1",
            "--report",
            report.toString());

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.err()).contains("left out 1 file or sample because of errors");
    assertThat(Files.readAllLines(report))
        .singleElement()
        .asString()
        .startsWith("{\"name\":\"dog/4.txt\",\"sample\":\"dog/4\",\"reason\":\"sample");
    assertThat(manifest().packs().getFirst().options())
        .containsEntry("require", "jpg")
        .containsEntry("on_error", "skip");
  }

  @Test
  void filesAreGroupedByAnExpression() throws IOException {
    CommandLineRun pack = pack("--group-by", "(?<key>[a-z]+)/");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.out()).contains("packed 2 samples of 6 files");
    assertThat(cat("dog.3.json")).isEqualTo("dog/3.json");
  }

  @Test
  void filesThatTheExpressionDoesNotMatchAreSaidToBeThose() {
    CommandLineRun none = pack("--group-by", "(?<key>bird/[0-9]+)");
    CommandLineRun some = pack("--group-by", "(?<key>cat/[0-9]+)");

    assertThat(some.err())
        .contains("left out 3 files to which --group-by gives no key and extension: \"dog/3.jpg\"");
    assertThat(none.err())
        .contains(
            "none of the 6 files belongs to a sample: --group-by (?<key>bird/[0-9]+) gives none a"
                + " key and an extension; the first is \"cat/1.jpg\"");
  }

  @Test
  void temporaryDirectoryThatIsNotThereIsNamed() {
    CommandLineRun pack = pack("--temp-dir", path("nowhere"));

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains(
            "sharder: "
                + path("nowhere")
                + ": cannot store the plan there: it is not a directory; choose another folder with"
                + " --temp-dir");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--seed 1 --order key | exclude each other",
        "--errors-max 3 | needs --on-error skip",
        "--on-error skip --errors-max -1 | at least 0",
        "--split train=0.5 | make 0.5 together",
        "--group-by (.*) | no group named key",
        "--require .jpg | is not an extension",
        "--order random | expected one of",
        "--missing exclude | --missing needs --require",
      })
  void wrongOptionIsNamed(String options, String message) {
    CommandLineRun pack = pack(options.split(" "));

    assertThat(pack.exitCode()).isEqualTo(2);
    assertThat(pack.err()).contains(message);
  }
}
