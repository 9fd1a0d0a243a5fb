package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.FolderContents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A dataset packed anew has the bytes of its samples' files packed in the same way. */
final class ReshardCommandTest {
  @TempDir Path directory;

  private Path source = Path.of("");

  @BeforeEach
  void makeFiles() throws IOException {
    Random random = new Random(1);
    source = Files.createDirectory(directory.resolve("source"));
    for (int i = 0; i < 300; i++) {
      Path folder = Files.createDirectories(source.resolve("c" + i % 3));
      byte[] bytes = new byte[random.nextInt(20_000)];
      random.nextBytes(bytes);
      Files.write(folder.resolve("%04d.bin".formatted(i)), bytes);
      Files.writeString(folder.resolve("%04d.txt".formatted(i)), "text " + i, UTF_8);
    }
  }

  private void run(String command, Path from, Path to, String... options) {
    List<Object> arguments = new ArrayList<>(List.of(command, from, to));
    arguments.addAll(List.of(options));
    CommandLineRun run = CommandLineRun.of(arguments.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private Path at(String name) {
    return directory.resolve(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--seed=1 --max-size=1MiB",
        "--max-size=300KiB --compress=gzip",
        "--max-size=8MiB --compress=zstd --seed=2",
      })
  void bytesAreThoseOfAFreshPackWhateverTheDatasetWasPackedLike(String old) throws IOException {
    String[] options = {"--seed=7", "--max-size=700KiB", "--split=train=0.8,val=0.2"};
    run("pack", source, at("old"), old.split(" "));
    run("pack", source, at("fresh"), options);

    run("reshard", at("old"), at("new"), options);

    assertThat(FolderContents.of(at("new")))
        .isEqualTo(FolderContents.of(at("fresh")))
        .hasSizeGreaterThan(8);
  }

  @Test
  void samplesAndMembersAreFilteredByKeyAndExtension() throws IOException {
    run("pack", source, at("old"), "--seed=3");
    run("reshard", at("old"), at("new"), "--keep=c[01]/*", "--drop=*7", "--drop-ext=TXT");

    for (Path file : FolderContents.of(source).keySet().stream().map(source::resolve).toList()) {
      String name = source.relativize(file).toString();
      if (name.startsWith("c2") || name.endsWith("7.bin") || name.endsWith(".txt")) {
        Files.delete(file);
      }
    }
    run("pack", source, at("fresh"));
    assertThat(FolderContents.of(at("new"))).isEqualTo(FolderContents.of(at("fresh")));

    run(
        "reshard",
        at("old"),
        at("kept"),
        "--keep-ext=bin",
        "--keep=c0/*",
        "--keep=c1/*",
        "--drop=*7");
    assertThat(FolderContents.of(at("kept"))).isEqualTo(FolderContents.of(at("fresh")));
  }

  @Test
  void datasetsAreMergedAndTheirOrderCanBeKept() throws IOException {
    run("pack", source.resolve("c0"), at("first"), "--seed=1");
    run("pack", source.resolve("c1"), at("second"), "--seed=1", "--compress=zstd");

    CommandLineRun merge =
        CommandLineRun.of("reshard", at("first"), at("second"), at("all"), "--order=source");

    assertThat(merge.exitCode()).as(merge.err()).isZero();
    List<String> names =
        List.of("first/shard-000000.tar", "second/shard-000000.tar.zst").stream()
            .flatMap(shard -> members(at(shard)).stream())
            .toList();
    assertThat(members(at("all/shard-000000.tar"))).isEqualTo(names).hasSize(400);
  }

  private static List<String> members(Path shard) {
    CommandLineRun ls = CommandLineRun.of("ls", shard);
    assertThat(ls.exitCode()).as(ls.err()).isZero();
    return ls.out().lines().map(line -> line.strip().replaceFirst("(?s).* ", "")).toList();
  }

  @Test
  void sampleThatIsInTwoDatasetsIsAnError() {
    run("pack", source, at("old"));

    CommandLineRun merge = CommandLineRun.of("reshard", at("old"), at("old"), at("all"));

    assertThat(merge.exitCode()).isEqualTo(1);
    assertThat(merge.err()).contains("would be the same member of one sample");
  }

  @Test
  void folderWithoutDatasetIsNamed() {
    CommandLineRun reshard = CommandLineRun.of("reshard", source, at("all"));

    assertThat(reshard.exitCode()).isEqualTo(1);
    assertThat(reshard.err()).contains("sharder: " + source + "/dataset.json: there is no dataset");
  }
}
