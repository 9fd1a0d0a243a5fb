package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own. */
@Timeout(120)
final class SharderProcessTest {
  private static final int SIGTERM_EXIT = 128 + 15;

  private static final String PART_FILE = ".tarn-part";

  @TempDir Path directory;

  private Process start(List<String> options, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(SharderMain.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("output").toFile())
        .start();
  }

  private String output() throws IOException {
    return Files.readString(directory.resolve("output"), UTF_8);
  }

  private List<String> names(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void signalThatEndsAPackLeavesNoPartFile() throws IOException, InterruptedException {
    Path source = Files.createDirectory(directory.resolve("source"));
    try (RandomAccessFile sparse = new RandomAccessFile(source.resolve("a.bin").toFile(), "rw")) {
      sparse.setLength(64L << 30);
    }
    Path set = directory.resolve("set");
    Process pack = start(List.of(), "pack", source.toString(), set.toString(), "--max-size=1TiB");
    while (names(set).stream().noneMatch(name -> name.startsWith(PART_FILE))
        && !pack.waitFor(1, TimeUnit.MILLISECONDS)) {
      // The pack begins to write.
    }

    pack.destroy();

    assertThat(pack.waitFor()).as(output()).isEqualTo(SIGTERM_EXIT);
    assertThat(names(set)).as("the plan, to go on with").containsExactly(".packing");
    assertThat(names(set.resolve(".packing"))).containsExactly("plan");
    assertThat(output())
        .contains(
            "sharder: broken off: the same command goes on where this one stopped",
            "sharder: interrupted; what was unfinished is removed");
  }

  @Test
  void heapThatIsTooSmallIsSaidWithTheOptionThatRaisesIt()
      throws IOException, InterruptedException {
    Path source = Files.createDirectory(directory.resolve("source"));
    Files.writeString(source.resolve("a.txt"), "a", UTF_8);

    Process pack =
        start(
            List.of("-Xmx32m"),
            "pack",
            source.toString(),
            directory.resolve("set").toString(),
            "--jobs=256");

    assertThat(pack.waitFor()).isEqualTo(1);
    assertThat(output())
        .contains("sharder: out of memory", "TARN_JAVA_OPTS=-Xmx")
        .doesNotContain("\tat ");
  }
}
