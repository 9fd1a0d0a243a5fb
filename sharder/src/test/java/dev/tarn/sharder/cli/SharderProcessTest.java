package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as a process of its own. */
@Timeout(120)
final class SharderProcessTest {
  private static final int SIGTERM_EXIT = 128 + 15;

  private static final String PART_FILE = ".tarn-part";

  @TempDir Path directory;

  private Process start(List<String> options, String... arguments) throws IOException {
    return start(List.of(), options, arguments);
  }

  private Process start(List<String> launcher, List<String> options, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(launcher);
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

  /** A pack into a folder that has begun to write, and will for long. */
  private Process startLongPack(Path set) throws IOException, InterruptedException {
    Path source = Files.createDirectory(directory.resolve("source"));
    try (RandomAccessFile sparse = new RandomAccessFile(source.resolve("a.bin").toFile(), "rw")) {
      sparse.setLength(64L << 30);
    }
    Process pack = start(List.of(), "pack", source.toString(), set.toString(), "--max-size=1TiB");
    while (names(set).stream().noneMatch(this::isPart) && !pack.waitFor(1, TimeUnit.MILLISECONDS)) {
      // The pack begins to write.
    }
    return pack;
  }

  @Test
  void secondPackIntoTheSamePlaceIsRefused() throws IOException, InterruptedException {
    Path set = directory.resolve("set");
    Process first = startLongPack(set);
    Path other = Files.createDirectory(directory.resolve("other"));
    Files.writeString(other.resolve("a.txt"), "a", UTF_8);
    Path plan = directory.resolve("plan");
    Path elsewhere = directory.resolve("elsewhere");
    assertThat(CommandLineRun.of("plan", other, set, "--plan", plan).exitCode()).isZero();
    Object[][] commands = {
      {"pack", directory.resolve("source"), set, "--max-size=1TiB"},
      {"pack", other, set, "--restart"},
      {"pack", "--plan", plan},
    };
    try {
      for (Object[] command : commands) {
        CommandLineRun second = CommandLineRun.of(command);

        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err()).contains("sharder: " + set + ": another run is packing into it");
      }
      assertThat(CommandLineRun.of("pack", other, elsewhere).exitCode()).isZero();
      assertThat(names(set)).as("what the first has under way").anyMatch(this::isPart);
      assertThat(first.isAlive()).as(output()).isTrue();
    } finally {
      first.destroyForcibly().waitFor();
    }

    CommandLineRun restart = CommandLineRun.of("pack", other, set, "--restart");
    assertThat(restart.exitCode()).as(restart.err()).isZero();
    assertThat(names(set)).doesNotContain(".packing").noneMatch(this::isPart);
    assertThat(set.resolve("dataset.json"))
        .hasSameBinaryContentAs(elsewhere.resolve("dataset.json"));
  }

  private boolean isPart(String name) {
    return name.startsWith(PART_FILE);
  }

  @Test
  void signalThatEndsAPackLeavesNoPartFile() throws IOException, InterruptedException {
    Path set = directory.resolve("set");
    Process pack = startLongPack(set);

    pack.destroy();

    assertThat(pack.waitFor()).as(output()).isEqualTo(SIGTERM_EXIT);
    assertThat(names(set)).as("the plan, to go on with").containsExactly(".packing");
    assertThat(names(set.resolve(".packing"))).containsExactly("plan");
    assertThat(output())
        .contains(
            "sharder: the pack is not finished; run the same command again to resume it",
            "sharder: interrupted; what was unfinished is removed");
  }

  @ParameterizedTest
  @CsvSource({
    "verify, nothing was changed; the same command begins again",
    "index, finished indexes stay; the same command makes the missing ones",
    "unpack, finished files stay; add --existing skip to the same command to go on",
  })
  void signalThatEndsACommandSaysHowToGoOn(String command, String advice)
      throws IOException, InterruptedException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> arguments = new ArrayList<>();
      arguments.add(command);
      arguments.add("http://127.0.0.1:" + silent.getLocalPort() + "/shard.tar");
      if (command.equals("unpack")) {
        arguments.add(directory.resolve("to").toString());
      }
      Process reading = start(List.of(), arguments.toArray(String[]::new));
      try (Socket request = silent.accept()) {
        assertThat(request.getInputStream().read()).isPositive();

        reading.destroy();

        assertThat(reading.waitFor()).as(output()).isEqualTo(SIGTERM_EXIT);
        assertThat(output()).contains("sharder: " + advice);
      }
    }
  }

  @Test
  void machineOfManyProcessorsPacksByAsManyJobsAsGo() throws IOException, InterruptedException {
    Path source = Files.createDirectory(directory.resolve("source"));
    Files.writeString(source.resolve("a.txt"), "a", UTF_8);

    Process pack =
        start(
            List.of("-XX:ActiveProcessorCount=300"),
            "pack",
            source.toString(),
            directory.resolve("set").toString());

    assertThat(pack.waitFor()).as(output()).isZero();
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

  @Test
  void folderThatMayNotBeReadIsNamedOrSkipped() throws IOException, InterruptedException {
    Path source = Files.createDirectory(directory.resolve("source"));
    Files.writeString(source.resolve("a.txt"), "a", UTF_8);
    Path hidden = Files.createDirectory(source.resolve("hidden"));
    Files.writeString(hidden.resolve("b.txt"), "b", UTF_8);
    Path unsearchable = Files.createDirectory(source.resolve("unsearchable"));
    Files.writeString(unsearchable.resolve("c.txt"), "c", UTF_8);
    String[] pack = {"pack", source.toString(), directory.resolve("set").toString()};
    String[] skip = {"--on-error=skip", "--report", directory.resolve("report").toString()};
    List<String> launcher = withoutRootsRights(hidden);
    try {
      Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("---------"));
      Process abort = start(launcher, List.of(), pack);
      assertThat(abort.waitFor()).as(output()).isEqualTo(1);
      assertThat(output()).contains("sharder: " + hidden + ": may not be read: permission denied");

      Files.setPosixFilePermissions(unsearchable, PosixFilePermissions.fromString("r--------"));
      Process skipping =
          start(
              launcher,
              List.of(),
              Stream.concat(Stream.of(pack), Stream.of(skip)).toArray(String[]::new));
      assertThat(skipping.waitFor()).as(output()).isZero();
      assertThat(output())
          .contains("packed 1 sample of 1 file", "left out 2 files or samples because of errors");
      assertThat(Files.readString(directory.resolve("report"), UTF_8).lines())
          .containsExactlyInAnyOrder(
              reported("hidden", hidden), reported("unsearchable/c.txt", unsearchable + "/c.txt"));
    } finally {
      for (Path folder : List.of(hidden, unsearchable)) {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      }
    }
  }

  private static String reported(String name, Object path) {
    return "{\"name\":\"%s\",\"sample\":\"\",\"reason\":\"%s: may not be read: permission denied\"}"
        .formatted(name, path);
  }

  /** What starts a process that permissions hold for, as they do not for root. */
  private static List<String> withoutRootsRights(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("---------"));
    if (!Files.isReadable(folder)) {
      return List.of();
    }
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "root may read everything");
    return List.of("/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search");
  }
}
