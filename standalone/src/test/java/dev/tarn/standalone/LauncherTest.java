package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code bin/tarn} in a checkout that looks built, with a JDK that writes down how it is called.
 */
class LauncherTest {
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      { echo "call $*"; env | grep -e ^TARN_ -e ^ROCKSDB_; } >>"$CALLS"
      while [ $# -gt 0 ]; do
        case $1 in
          --data) touch "$2/ready" ;;
          -XX:AOTCacheOutput=*) touch -d '+1 minute' "${1#*=}"; recording="${1#*=}" ;;
        esac
        shift
      done
      if [ -n "${recording:-}" ]; then eval "${WHILE_RECORDING:-}"; fi
      """;

  /** Builds a module as Maven would, and leaves the lock of the build to somebody else. */
  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      # Files' times are as fine as the system's clock ticks: what comes later is given a later one.
      if [ -e edit-meanwhile ]; then touch -d '+1 second' pom.xml; built='+2 seconds'; fi
      touch -d "${built:-now}" standalone/target/standalone-2.jar standalone/target/classpath
      if [ -e other-builder ]; then ln -sfn "$(cat other-builder)" .build.lock; fi
      """;

  @TempDir Path directory;
  private Path calls = Path.of("");
  private Path temporary = Path.of("");
  private @Nullable String musl;

  @BeforeEach
  void makeCheckout() throws IOException {
    calls = directory.resolve("calls");
    temporary = Files.createDirectory(directory.resolve("temporary"));
    Path bin = Files.createDirectory(directory.resolve("bin"));
    for (String file : List.of("tarn", "sharder", "launch.bash", "options.bash")) {
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
    Path sharder = Files.createDirectories(directory.resolve("sharder/target"));
    Files.writeString(sharder.resolve("sharder-1.jar"), "");
    Files.writeString(sharder.resolve("classpath"), "");
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
    assertThat(Files.readString(directory.resolve("output")))
        .contains("building", "writing the start cache");
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

  @Test
  void packRecordsOnceAndOthersOfTheSharderUseIt() throws Exception {
    start("sharder", "pack a b", "").waitFor();
    start("sharder", "ls b", "").waitFor();
    start("sharder", "pack a b", "").waitFor();

    assertThat(recordings()).hasSize(1);
    assertThat(called()).filteredOn(call -> call.contains("-XX:AOTCache=")).hasSize(3);
  }

  @Test
  void optimizingCompilerIsHeldBackAmongLocalFilesAlone() throws Exception {
    start("sharder", "ls a", "").waitFor();
    start("sharder", "ls s3://a/b", "").waitFor();

    assertThat(called()).hasSize(2);
    assertThat(called().getFirst()).contains("-XX:Tier4InvocationThreshold=");
    assertThat(called().getLast()).doesNotContain("-XX:Tier4InvocationThreshold=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"classpath", "sharder-1.jar"})
  void cacheOfAnOlderBuildIsNotUsed(String built) throws Exception {
    start("sharder", "pack a b", "").waitFor();
    Files.delete(calls);
    Files.setLastModifiedTime(
        directory.resolve("sharder/target").resolve(built),
        FileTime.from(Instant.now().plus(Duration.ofHours(1))));

    start("sharder", "ls b", "").waitFor();

    assertThat(called()).singleElement().asString().doesNotContain("AOTCache");
  }

  @Test
  void cacheOfAnotherJdkIsRecordedAnew() throws Exception {
    run("serve");
    run("serve");
    assertThat(recordings()).hasSize(1);
    Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"25.0.2\"\nLIBC=\"gnu\"\n");

    run("serve");

    assertThat(recordings()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exit 1",
        "touch \"$recording.config\"",
        "rm \"$recording\"",
        "touch -d '+1 minute' sharder/target/classpath",
        "touch -d '+1 minute' sharder/target/sharder-1.jar"
      })
  void recordingThatCameToNothingDoesNotCount(String whileRecording) throws Exception {
    assertThat(start("sharder", "pack a b", whileRecording).waitFor()).isZero();

    assertThat(called()).last().asString().endsWith("pack a b").doesNotContain("AOTCache");
    assertThat(directory.resolve("sharder/target"))
        .isDirectoryNotContaining("glob:**/sharder.aot*");
    assertThat(directory.resolve(".build.lock")).doesNotExist();
  }

  @Test
  void launcherThatIsEndedWhileItRecordsEndsTheRecordingAndLeavesNothing() throws Exception {
    Process launcher =
        start("sharder", "pack a b", "echo $$ >recorder; mv recorder recording; exec sleep 600");
    Path recording = directory.resolve("recording");
    while (!Files.exists(recording)) {
      assertThat(launcher.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    long recorder = Long.parseLong(Files.readString(recording).strip());

    launcher.destroy();

    assertThat(launcher.waitFor()).isEqualTo(143);
    assertThat(ProcessHandle.of(recorder).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(directory.resolve("sharder/target"))
        .isDirectoryNotContaining("glob:**/sharder.aot*");
    assertThat(directory.resolve("temporary")).isEmptyDirectory();
    assertThat(directory.resolve(".build.lock")).doesNotExist();
  }

  @Test
  void serverStartsWithoutARecordWhileAnotherHoldsTheLock() throws Exception {
    Files.createSymbolicLink(
        directory.resolve(".build.lock"), Path.of(Long.toString(ProcessHandle.current().pid())));

    run("serve");

    assertThat(called()).singleElement().asString().endsWith("serve");
  }

  @Test
  void serverStartsWhereNothingCanBeUnpackedOrRecorded() throws Exception {
    Files.writeString(directory.resolve("no-folder"), "");

    assertThat(start("tarn", "serve", "exit 1", directory.resolve("no-folder")).waitFor()).isZero();

    assertThat(called()).singleElement().asString().endsWith("serve");
    assertThat(Files.readString(directory.resolve("output")))
        .contains("the start cache was not written");
  }

  @Test
  void editMadeDuringTheBuildIsBuiltNext() throws Exception {
    makeOutOfDate();
    Files.writeString(directory.resolve("edit-meanwhile"), "");
    run("status");
    assertThat(Files.readString(directory.resolve("output"))).contains("building");
    Files.delete(directory.resolve("edit-meanwhile"));

    run("status");

    assertThat(Files.readString(directory.resolve("output"))).contains("building");
  }

  @Test
  void launcherThatWasKilledWhileItBrokeALockHoldsNobodyUp() throws Exception {
    makeOutOfDate();
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Files.createSymbolicLink(directory.resolve(".build.lock"), Path.of(Long.toString(ended.pid())));
    Path breaking = Files.createDirectory(directory.resolve(".build.lock.breaking"));
    Files.setLastModifiedTime(breaking, FileTime.fromMillis(0));

    run("status");

    assertThat(breaking).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"gnu, , false", "musl, , true", "musl, false, false"})
  void jdkTellsWhichLibraryOfCThereIsUnlessTheUserDoes(
      String libc, @Nullable String asked, String told) throws Exception {
    Files.writeString(
        directory.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\nLIBC=\"" + libc + "\"\n");
    Path unpacked = Files.createDirectory(directory.resolve("standalone/target/native"));
    Files.writeString(unpacked.resolve("librocksdbjni.so"), "");
    Files.setLastModifiedTime(unpacked, FileTime.from(Instant.now().plus(Duration.ofHours(1))));
    Files.copy(
        directory.resolve("jdk/release"), directory.resolve("standalone/target/native.release"));
    musl = asked;

    run("status");

    assertThat(Files.readAllLines(calls)).contains("ROCKSDB_MUSL_LIBC=" + told);
  }

  private List<String> called() throws IOException {
    return Files.readAllLines(calls).stream().filter(line -> line.startsWith("call ")).toList();
  }

  private List<String> recordings() throws IOException {
    return called().stream().filter(call -> call.contains("-XX:AOTCacheOutput=")).toList();
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
    assertThat(start("tarn", arguments, "").waitFor()).as(directory.toString()).isZero();
  }

  private Process start(String launcher, String arguments, String whileRecording)
      throws IOException {
    return start(launcher, arguments, whileRecording, temporary);
  }

  private Process start(String launcher, String arguments, String whileRecording, Path temporary)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("bash", directory + "/bin/" + launcher));
    command.addAll(List.of(arguments.split(" ", -1)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile());
    builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    builder.environment().merge("PATH", directory + "/maven:", (path, first) -> first + path);
    builder.environment().put("CALLS", calls.toString());
    builder.environment().put("TMPDIR", temporary.toString());
    builder.environment().put("WHILE_RECORDING", whileRecording);
    builder.environment().put("TARN_SET_READY_FILE", "/caller/ready");
    builder.environment().put("TARN_SECRET_KEY", "hush");
    builder.environment().remove("ROCKSDB_MUSL_LIBC");
    if (musl != null) {
      builder.environment().put("ROCKSDB_MUSL_LIBC", musl);
    }
    return builder.start();
  }
}
