package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.FolderContents;
import dev.tarn.sharder.source.archive.ArchiveFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of every kind of source, packed at once and by tasks: the bytes of {@code pack}. */
final class PlannedSourcesTest {
  private static final int FILES = 40;
  private static final int TASKS = 3;

  @TempDir Path directory;

  @BeforeEach
  void makeSources() throws IOException {
    Map<String, byte[]> files = ArchiveFiles.files(FILES);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = directory.resolve("files").resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    Files.write(directory.resolve("a.tar"), ArchiveFiles.tar(files));
    Files.write(directory.resolve("a.tar.gz"), ArchiveFiles.gzip(ArchiveFiles.tar(files)));
    Files.write(directory.resolve("a.zip"), ArchiveFiles.zip(files));
    List<String> rows =
        files.keySet().stream().map(name -> "files/%s,it is %<s,7".formatted(name)).toList();
    Files.writeString(
        directory.resolve("list.csv"), "image,text,left\n" + String.join("\n", rows), UTF_8);
    List<String> lines =
        IntStream.range(0, FILES)
            .mapToObj(i ->
                "{\"id\":\"k%02d\",\"url\":\"files/d/%04d.bin\",\"score\":%1$d}".formatted(i, i))
            .toList();
    Files.writeString(directory.resolve("list.jsonl"), String.join("\n", lines), UTF_8);
    succeed("pack", at("files"), at("old"), "--max-count=9", "--seed=5", "--compress=zstd");
  }

  private Path at(String name) {
    return directory.resolve(name);
  }

  private static CommandLineRun succeed(Object... words) {
    CommandLineRun run = CommandLineRun.of(words);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  static Stream<List<String>> sourcesAndOptions() {
    return Stream.of(
            List.of("files"),
            List.of("a.tar"),
            List.of("a.tar.gz"),
            List.of("a.zip"),
            List.of("old/dataset.json"),
            List.of("list.csv", "--url-column=image", "--member=text=txt", "--member=left="),
            List.of("list.jsonl", "--key-column=id", "--member=score=json"))
        .flatMap(words ->
            Stream.of("--seed=3", "--order=source")
                .map(order -> Stream.concat(words.stream(), Stream.of(order)).toList()));
  }

  @ParameterizedTest
  @MethodSource("sourcesAndOptions")
  void planGivesTheBytesOfAPack(List<String> sourceAndOptions) throws IOException {
    Path source = at(sourceAndOptions.getFirst());
    List<String> options = new ArrayList<>(sourceAndOptions.subList(1, sourceAndOptions.size()));
    options.add("--max-count=15");
    succeed(words("pack", source, at("set"), options));

    succeed(words("plan", source, at("whole"), withPlan(options, "plan-whole")));
    succeed("pack", "--plan", at("plan-whole"));
    assertThat(FolderContents.of(at("whole"))).isEqualTo(FolderContents.of(at("set")));

    succeed(words("plan", source, at("parts"), withPlan(options, "plan-parts")));
    for (int task = 0; task < TASKS; task++) {
      succeed("pack", "--plan", at("plan-parts"), "--task", task + "/" + TASKS);
    }
    succeed("commit", "--plan", at("plan-parts"));
    assertThat(FolderContents.of(at("parts"))).isEqualTo(FolderContents.of(at("set")));
  }

  private List<String> withPlan(List<String> options, String plan) {
    return Stream.concat(options.stream(), Stream.of("--plan=" + at(plan))).toList();
  }

  private static Object[] words(String command, Path source, Path set, List<String> options) {
    return Stream.concat(Stream.of(command, source, set), options.stream()).toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--url-column=image", "--key-column=id", "--member=text=txt"})
  void columnsThatThePlanDecidedAreRefusedBesideIt(String option) {
    succeed("plan", at("files"), at("set"), "--plan", at("plan"));

    CommandLineRun pack = CommandLineRun.of("pack", "--plan", at("plan"), option);

    assertThat(pack.exitCode()).isEqualTo(2);
    assertThat(pack.err()).contains(option.replaceFirst("=.*", "") + " is not allowed with --plan");
  }

  @Test
  void planOfAnAppendIsCommittedToWhatIsThere() throws IOException {
    for (String set : List.of("set", "parts", "whole")) {
      succeed("pack", at("files"), at(set), "--max-count=7", "--label-from=dirname");
    }
    Files.createDirectory(at("files/new"));
    for (int i = 0; i < FILES; i++) {
      Files.writeString(at("files/new").resolve(i + ".txt"), "text " + i, UTF_8);
    }
    List<String> options = List.of("--max-count=7", "--label-from=dirname", "--append");
    succeed(words("pack", at("files"), at("set"), options));

    succeed(words("plan", at("files"), at("whole"), withPlan(options, "plan-whole")));
    succeed("pack", "--plan", at("plan-whole"));
    assertThat(FolderContents.of(at("whole"))).isEqualTo(FolderContents.of(at("set")));

    succeed(words("plan", at("files"), at("parts"), withPlan(options, "plan-parts")));
    succeed("pack", "--plan", at("plan-parts"), "--task=1/2");
    CommandLineRun early = CommandLineRun.of("commit", "--plan", at("plan-parts"));
    assertThat(early.exitCode()).isEqualTo(1);
    assertThat(early.err()).contains("shards are missing, or not as they were planned: shard-0000");
    succeed("verify", at("parts"));

    succeed("pack", "--plan", at("plan-parts"), "--task=0/2");
    for (int times = 0; times < 2; times++) {
      succeed("commit", "--plan", at("plan-parts"));
      assertThat(FolderContents.of(at("parts"))).isEqualTo(FolderContents.of(at("set")));
    }
    assertThat(succeed("verify", at("parts")).out()).contains("80 samples");
  }

  @Test
  void planOfAnAppendIsNotCommittedToAnotherDataset() throws IOException {
    succeed("pack", at("files"), at("set"), "--max-count=7");
    Files.writeString(at("files/d/one.txt"), "one", UTF_8);
    succeed("plan", at("files"), at("set"), "--append", "--plan", at("plan"));
    succeed("pack", "--plan", at("plan"), "--task=0/1");
    Files.writeString(at("files/d/two.txt"), "two", UTF_8);
    succeed("pack", at("files"), at("set"), "--append", "--pattern=two-%06d.tar");
    Map<String, ?> before = FolderContents.of(at("set"));

    for (String option : List.of("--dry-run", "--quiet")) {
      CommandLineRun commit = CommandLineRun.of("commit", "--plan", at("plan"), option);
      assertThat(commit.exitCode()).isEqualTo(1);
      assertThat(commit.err()).contains("the dataset has changed since the append was planned");
    }
    assertThat(FolderContents.of(at("set"))).isEqualTo(before);
    succeed("verify", at("set"));
  }
}
