package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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
        case $1 in
          --data) touch "$2/ready" ;;
          -XX:AOTCacheOutput=*) touch -d '+1 minute' "${1#*=}" ;;
        esac
        shift
      done
      """;

  /** Builds a module as Maven would, and leaves the lock of the build to somebody else. */
  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      touch standalone/target/standalone-2.jar standalone/target/classpath
      if [ -e other-builder ]; then ln -sfn "$(cat other-builder)" .build.lock; fi
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
    executable(jdk.resolve("bin/java"), JAVA);
    executable(Files.createDirectory(directory.resolve("maven")).resolve("mvn"), MAVEN);
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

  @Test
  void buildRecordsTheStartSoThatTheFirstServerStartsAtOnce() throws Exception {
    makeOutOfDate();
    run("status");
    assertThat(Files.readString(directory.resolve("output"))).contains("building", "recording");
    Files.delete(calls);

    run("serve");

    assertThat(Files.readString(directory.resolve("output"))).isEmpty();
    assertThat(Files.readAllLines(calls))
        .filteredOn(line -> line.startsWith("call "))
        .singleElement()
        .asString()
        .contains("-XX:AOTCache=");
  }

  @Test
  void jarOfAnotherVersionIsLeftOut() throws Exception {
    Path stale = directory.resolve("standalone/target/standalone-0.9.jar");
    Files.writeString(stale, "");
    Files.setLastModifiedTime(stale, FileTime.fromMillis(0));

    run("status");

    assertThat(Files.readString(calls)).contains("standalone-1.jar:").doesNotContain("0.9");
  }

  @Test
  void lockOfABuildThatWasKilledHoldsNobodyUp() throws Exception {
    makeOutOfDate();
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Files.createSymbolicLink(directory.resolve(".build.lock"), Path.of(Long.toString(ended.pid())));

    run("status");

    assertThat(directory.resolve(".build.lock")).doesNotExist();
  }

  @Test
  void lockThatSomebodyElseHasTakenIsLeftAlone() throws Exception {
    makeOutOfDate();
    String other = Long.toString(ProcessHandle.current().pid());
    Files.writeString(directory.resolve("other-builder"), other);

    run("status");

    assertThat(Files.readSymbolicLink(directory.resolve(".build.lock"))).hasToString(other);
  }

  private void makeOutOfDate() throws IOException {
    Files.setLastModifiedTime(
        directory.resolve("standalone/target/classpath"), FileTime.fromMillis(0));
  }

  private static void executable(Path file, String script) throws IOException {
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private void run(String arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", directory + "/bin/tarn"));
    command.addAll(List.of(arguments.split(" ", -1)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile());
    builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    builder.environment().merge("PATH", directory + "/maven:", (path, first) -> first + path);
    builder.environment().put("CALLS", calls.toString());
    builder.environment().put("TARN_SET_READY_FILE", "/caller/ready");
    builder.environment().put("TARN_SECRET_KEY", "hush");
    assertThat(builder.start().waitFor()).as(directory.toString()).isZero();
  }
}
