package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.source.archive.ArchiveFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private Path archive(String name, String... members) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (String member : members) {
      files.put(member, (name + member).getBytes(UTF_8));
    }
    return Files.write(directory.resolve(name), ArchiveFiles.tar(files));
  }

  @Test
  void archivesWhoseKeysRepeatArePackedTogetherAndLabelledByTheirNames() throws IOException {
    Path cats = archive("cats.tar", "1.jpg", "2.jpg");
    Path dogs = archive("dogs.v2.tar", "1.jpg", "deep/2.jpg");

    assertThat(CommandLineRun.of("pack", cats, dogs, path("set")).err())
        .contains("rename one of them, or pack with --prefix-by archive");
    CommandLineRun pack =
        CommandLineRun.of(
            "pack", cats, dogs, path("set"), "--prefix-by=archive", "--label-from=archive");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(cat("cats/1.jpg")).isEqualTo("cats.tar1.jpg");
    assertThat(cat("dogs.v2/deep/2.jpg")).isEqualTo("dogs.v2.tardeep/2.jpg");
    assertThat(cat("dogs.v2/deep/2.cls")).isEqualTo("1");
    assertThat(Files.readString(directory.resolve("set/classes.json")))
        .contains("\"cats\" : 0", "\"dogs.v2\" : 1");
    assertThat(manifest().packs().getFirst().options())
        .containsEntry("prefix_by", "archive")
        .containsEntry("label_from", "archive");
  }

  @Test
  void labelsOfArchivesNeedArchivesAndTheirPrefix() throws IOException {
    Path cats = archive("cats.tar", "1.jpg");

    CommandLineRun without = CommandLineRun.of("pack", cats, path("set"), "--label-from=archive");
    assertThat(without.err()).contains("--label-from archive needs --prefix-by archive");
    assertThat(without.exitCode()).isEqualTo(2);
    assertThat(pack("--prefix-by=archive", "--label-from=archive").err())
        .contains("source: is not an archive, so --label-from archive cannot label its samples");
  }

  @Test
  void patternOfKeysSeesNamesWithoutThePrefix() throws IOException {
    Path cats = archive("cats.tar", "1_left.jpg", "1_right.jpg");

    CommandLineRun pack =
        CommandLineRun.of(
            "pack",
            cats,
            path("set"),
            "--prefix-by=archive",
            "--label-from=archive",
            "--group-by=(?<key>[0-9]+)_");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(cat("cats/1.left.jpg")).isEqualTo("cats.tar1_left.jpg");
    assertThat(cat("cats/1.cls")).isEqualTo("0");
  }

  @Test
  void archivesOfOneNameAreNotMixed() throws IOException {
    Path one = archive("cats.tar", "1.jpg");
    Path other = Files.createDirectory(directory.resolve("b")).resolve("cats.tar");
    Files.copy(one, other);

    assertThat(CommandLineRun.of("pack", one, other, path("set"), "--prefix-by=archive").err())
        .contains("have the same name \"cats\" for --prefix-by archive; rename one of them");
    Path nameless = Files.move(other, directory.resolve("b/.tar"));
    assertThat(CommandLineRun.of("pack", nameless, path("set"), "--prefix-by=archive").err())
        .contains(".tar: has no name before its ending for --prefix-by archive");
  }

  @Test
  void samplesThatTheDatasetHasAreReported() throws IOException {
    pack();
    CommandLineRun append = pack("--append", "--report", path("report"));

    assertThat(append.exitCode()).as(append.err()).isZero();
    assertThat(Files.readAllLines(directory.resolve("report")))
        .contains("{\"name\":\"\",\"sample\":\"cat/1\",\"reason\":\"the dataset has it already\"}")
        .hasSize(4);
  }

  @Test
  void extensionsThatReadersNeedAreRefusedOrRenamed() throws IOException {
    Files.writeString(directory.resolve("source/cat/1.__Key__"), "mine");

    assertThat(pack().err())
        .contains(
            "\"cat/1.__Key__\": readers add a field __key__ to each sample", "--reserved rename");
    assertThat(pack("--reserved=rename").exitCode()).isZero();
    assertThat(cat("cat/1.key")).isEqualTo("mine");
    assertThat(CommandLineRun.of("lint", path("set")).out()).doesNotContain("reserved");
  }

  @Test
  void reservedExtensionOfAShardIsRenamedByReshard() throws IOException {
    Path old = Files.createDirectory(directory.resolve("old"));
    Path shard = old.resolve("old.tar");
    Files.move(archive("old.tar", "a.__url__", "a.txt"), shard);
    assertThat(CommandLineRun.of("index", shard, "--manifest").exitCode()).isZero();

    CommandLineRun reshard = CommandLineRun.of("reshard", old, path("set"), "--reserved=rename");

    assertThat(reshard.exitCode()).as(reshard.err()).isZero();
    assertThat(cat("a.url")).isEqualTo("old.tara.__url__");
  }
}
