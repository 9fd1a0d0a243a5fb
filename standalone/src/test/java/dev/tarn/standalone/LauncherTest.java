package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code bin/tarn} in a checkout that looks built, with a JDK that writes down how it is called.
 */
class LauncherTest {
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      { echo "call $*"; env | grep ^TARN_; } >>"$CALLS"
      while [ $# -gt 0 ]; do
        if [ "$1" = --data ]; then touch "$2/ready"; fi
        shift
      done
      """;

  @TempDir Path directory;
  private Path calls = Path.of("");

  @BeforeEach
  void makeCheckout() throws IOException {
    calls = directory.resolve("calls");
    Path bin = Files.createDirectory(directory.resolve("bin"));
    for (String file : List.of("tarn", "launch.bash")) {
      Files.copy(Path.of("../bin").resolve(file), bin.resolve(file));
    }
    Files.writeString(directory.resolve("pom.xml"), "");
    Path jdk = directory.resolve("jdk");
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    Path java = Files.writeString(jdk.resolve("bin/java"), JAVA);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    Path target = Files.createDirectories(directory.resolve("standalone/target"));
    Files.writeString(target.resolve("standalone-1.jar"), "");
    Files.writeString(target.resolve("classpath"), "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "--debug serve"})
  void serverGetsTheOptionsOfAServerWhereverItsCommandStands(String arguments) throws Exception {
    run(arguments);

    assertThat(Files.readAllLines(calls))
        .filteredOn(line -> line.startsWith("call "))
        .last()
        .asString()
        .contains("-XX:+UseParallelGC")
        .endsWith(arguments);
  }

  @Test
  void trainingSeesNothingOfTheCallersEnvironment() throws Exception {
    run("serve --data " + directory);

    List<String> lines = Files.readAllLines(calls);
    int server = lines.lastIndexOf("TARN_SET_READY_FILE=/caller/ready");
    List<String> first = lines.subList(0, server);
    assertThat(first).filteredOn(line -> line.startsWith("call ")).hasSize(2);
    assertThat(first.get(1)).startsWith("call ");
  }

  private void run(String arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", directory + "/bin/tarn"));
    command.addAll(List.of(arguments.split(" ", -1)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile());
    builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    builder.environment().put("CALLS", calls.toString());
    builder.environment().put("TARN_SET_READY_FILE", "/caller/ready");
    builder.environment().put("TARN_SECRET_KEY", "hush");
    assertThat(builder.start().waitFor()).as(directory.toString()).isZero();
  }
}
