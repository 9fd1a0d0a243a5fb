package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.source.archive.ArchiveFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that file managers, editors and notebooks leave among the data. */
final class HiddenFilesTest {
  private static final List<String> VISIBLE = List.of("cat/1.jpg", "dog/1.jpg");
  private static final List<String> HIDDEN =
      List.of(
          ".DS_Store",
          ".ipynb_checkpoints/1-checkpoint.jpg",
          "__MACOSX/cat/1.jpg",
          "cat/.DS_Store",
          "cat/._1.jpg",
          "cat/Thumbs.db",
          "dog/.cache/2.jpg");

  @TempDir Path directory;

  private Path source = Path.of("");
  private Path set = Path.of("");

  @BeforeEach
  void makeFiles() throws IOException {
    source = directory.resolve("source");
    set = directory.resolve("set");
    for (String name : all()) {
      Path file = source.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, name, UTF_8);
    }
  }

  private static List<String> all() {
    List<String> all = new ArrayList<>(VISIBLE);
    all.addAll(HIDDEN);
    return all;
  }

  private Path archive(String kind) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (String name : all()) {
      files.put(name, name.getBytes(UTF_8));
    }
    byte[] bytes =
        switch (kind) {
          case "tar" -> ArchiveFiles.tar(files);
          case "tar.gz" -> ArchiveFiles.gzip(ArchiveFiles.tar(files));
          case "zip" -> ArchiveFiles.zip(files);
          case "cpio" -> ArchiveFiles.cpio(files);
          case "7z" -> ArchiveFiles.sevenZip(files);
          default -> throw new IllegalArgumentException(kind);
        };
    return Files.write(directory.resolve("a." + kind), bytes);
  }

  private List<String> packed() {
    return CommandLineRun.of("ls", set.resolve("shard-000000.tar"))
        .out()
        .lines()
        .filter(line -> line.startsWith(" "))
        .map(line -> line.strip().split(" +", 3)[2])
        .toList();
  }

  private static CommandLineRun run(Object... words) {
    CommandLineRun run = CommandLineRun.of(words);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  @Test
  void hiddenFilesOfFoldersAreLeftOutAndNamed() {
    CommandLineRun pack = run("pack", source, set);

    assertThat(packed()).containsExactlyElementsOf(VISIBLE);
    assertThat(pack.err())
        .contains(
            "left out 7 hidden files and folders; --hidden packs them: \".DS_Store\","
                + " \".ipynb_checkpoints\", \"__MACOSX\", \"cat/.DS_Store\", \"cat/._1.jpg\", ...");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tar", "tar.gz", "zip", "cpio", "7z"})
  void hiddenMembersOfArchivesAreLeftOutAndNamed(String kind) throws IOException {
    CommandLineRun pack = run("pack", archive(kind), set);

    assertThat(packed()).containsExactlyElementsOf(VISIBLE);
    assertThat(pack.err()).contains("left out 7 hidden files and folders", ": \".DS_Store\", ");
  }

  @Test
  void planAndDryRunNameHiddenFiles() {
    String left = "left out 7 hidden files and folders; --hidden packs them: \".DS_Store\", ";

    assertThat(run("pack", source, set, "--dry-run").err()).contains(left);
    assertThat(run("plan", source, set, "--dry-run").err()).contains(left);
    assertThat(set).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"folder", "tar", "zip"})
  void hiddenFilesArePackedOnRequest(String kind) throws IOException {
    Path from = kind.equals("folder") ? source : archive(kind);

    CommandLineRun pack = run("pack", from, set, "--hidden");

    assertThat(packed())
        .containsExactlyInAnyOrderElementsOf(
            all().stream().filter(name -> !name.equals(".DS_Store")).toList());
    assertThat(pack.err()).doesNotContain("hidden files and folders");
  }

  @Test
  void hiddenFoldersAreNoClasses() throws IOException {
    run("pack", source, set, "--label-from", "dirname");

    assertThat(Files.readString(set.resolve("classes.json")))
        .contains("cat", "dog")
        .doesNotContain("checkpoints", "MACOSX", "cache");
  }

  @Test
  void hiddenFilesAreNoSamplesThatLackAnExtension() {
    run("pack", source, set, "--require", "jpg", "--dots", "refuse");

    assertThat(packed()).containsExactlyElementsOf(VISIBLE);
  }

  @Test
  void hiddenFoldersAreNotEntered() throws IOException {
    Files.createSymbolicLink(source.resolve("cat/.#1.jpg"), Path.of("user@host.1234"));
    Files.createSymbolicLink(source.resolve("dog/.cache/loop"), source);

    assertThat(run("pack", source, set).err()).contains("left out 8 hidden files");
  }

  @Test
  void listNamesHiddenFilesOnPurpose() throws IOException {
    Path list = Files.writeString(directory.resolve("l.csv"), "url\nsource/cat/._1.jpg\n");

    CommandLineRun pack = run("pack", list, set);

    assertThat(packed()).hasSize(1).first().asString().endsWith("cat/._1.jpg");
    assertThat(pack.err()).doesNotContain("hidden");
  }

  @Test
  void reshardKeepsHiddenFilesOfADataset() {
    run("pack", source, set, "--hidden");
    List<String> before = packed();
    Path first = set;
    set = directory.resolve("again");

    run("reshard", first, set);

    assertThat(packed()).isEqualTo(before);
  }

  @Test
  void onlyHiddenFilesAreNothingToPack() throws IOException {
    Path only = directory.resolve("only");
    Files.createDirectories(only.resolve(".b"));
    Files.writeString(only.resolve(".a.jpg"), "a", UTF_8);

    CommandLineRun pack = CommandLineRun.of("pack", only, set);

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains(
            "there are no files to pack: all 2 files and folders are hidden, such as \".a.jpg\";"
                + " name another source, or take them with --hidden");
  }

  @Test
  void partsOfDotsAloneAreNotHidden() throws IOException {
    byte[] tar = ArchiveFiles.tar(Map.of("./a/./b.jpg", new byte[3]));
    Path archive = Files.write(directory.resolve("dots.tar"), tar);

    assertThat(run("pack", archive, set).err()).doesNotContain("hidden");
    assertThat(packed()).containsExactly("a/./b.jpg");
  }

  @Test
  void hiddenZipMemberThatCannotBeReadIsNoError() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("a.jpg", new byte[3]);
    files.put(".b.jpg", new byte[3]);
    byte[] zip = ArchiveFiles.zip(files);
    int central = indexOf(zip, new byte[] {'P', 'K', 1, 2}, 2);
    zip[central + 8] |= 1;
    Path archive = Files.write(directory.resolve("e.zip"), zip);

    assertThat(run("pack", archive, set).err())
        .contains("left out 1 hidden file or folder; --hidden packs it: ");
    assertThat(packed()).containsExactly("a.jpg");
  }

  private static int indexOf(byte[] bytes, byte[] wanted, int times) {
    int left = times;
    for (int i = 0; ; i++) {
      if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length) && --left == 0) {
        return i;
      }
    }
  }

  @Test
  void resumedPackNamesTheOptionThatDiffers() throws IOException {
    Files.createSymbolicLink(source.resolve("x.bin"), Path.of("/proc/self/mem"));
    assertThat(CommandLineRun.of("pack", source, set).exitCode()).isEqualTo(1);

    CommandLineRun pack = CommandLineRun.of("pack", source, set, "--hidden");

    assertThat(pack.err())
        .contains("begun with another option: hidden was not given, now it is true");
  }

  @Test
  void indexSkipsHiddenShardsBelowAFolder() throws IOException {
    Path folder = directory.resolve("shards");
    Path trash = Files.createDirectories(folder.resolve(".trash"));
    new ShardFiles().with("a.txt", "a").write(folder.resolve("s.tar"));
    new ShardFiles().with("b.txt", "b").write(trash.resolve("t.tar"));
    Path fork = Files.writeString(folder.resolve("._s.tar"), "no tar", UTF_8);

    run("index", folder, "--manifest");

    assertThat(Files.readString(folder.resolve("dataset.json")))
        .contains("s.tar")
        .doesNotContain(".trash", "._s");
    assertThat(trash.toFile().list()).containsExactly("t.tar");
    assertThat(CommandLineRun.of("index", fork).err()).contains("._s.tar");
  }
}
