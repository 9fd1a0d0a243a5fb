package dev.tarn.standalone.cluster;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.ReadyLine;
import dev.tarn.standalone.node.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A member's process. Its file {@code pid} holds the process id and the start time. The start time
 * tells the process from a later one with the same process id.
 *
 * @param folder the folder with the data, the log and the pid file
 */
record LocalProcess(LocalMember member, Path folder) {
  private static final Pattern PID = Pattern.compile("(\\d{1,18}) begun=(\\d{1,18})\\s*");

  /** A change of the system clock shifts the start time that the system reports. */
  private static final Duration BEGINNING_APART_MAX = Duration.ofSeconds(5);

  private static final int LOG_LINES_MAX = 10;

  LocalProcess {
    requireNonNull(member, "member is null");
    requireNonNull(folder, "folder is null");
  }

  private Path pidFile() {
    return folder.resolve("pid");
  }

  Path log() {
    return folder.resolve("log");
  }

  private Path data() {
    return folder.resolve("data");
  }

  /** Whether it has been a part of a cluster. */
  boolean hasFollowedControl() {
    return DataFolder.hasFollowedControl(data());
  }

  /** The process; empty if it does not run. */
  Optional<ProcessHandle> running() throws IOException {
    if (!Files.exists(pidFile())) {
      return Optional.empty();
    }
    Matcher kept = PID.matcher(Files.readString(pidFile()));
    if (!kept.matches()) {
      return Optional.empty();
    }
    Instant begun = Instant.ofEpochMilli(Long.parseLong(kept.group(2)));
    return ProcessHandle.of(Long.parseLong(kept.group(1)))
        .filter(LocalProcess::isAlive)
        .filter(process ->
            process
                .info()
                .startInstant()
                .map(start -> Duration.between(start, begun).abs())
                .filter(apart -> apart.compareTo(BEGINNING_APART_MAX) < 0)
                .isPresent());
  }

  /** An ended process counts as alive until its parent has reaped it, but it has no command. */
  private static boolean isAlive(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  /** Whether the process runs and its ready file names this process. */
  boolean isReady() throws IOException {
    Optional<ProcessHandle> process = running();
    Optional<ReadyLine> ready = ReadyLine.read(DataFolder.readyFile(data()));
    return process.isPresent() && ready.map(ReadyLine::pid).equals(process.map(ProcessHandle::pid));
  }

  /** Starts the process. The process appends to its log. */
  void start(Launcher launcher, List<String> settings, Map<String, String> environment)
      throws IOException {
    Files.createDirectories(folder);
    List<String> command = new ArrayList<>(launcher.command());
    command.addAll(List.of("serve", "--role", member.role().title()));
    command.addAll(List.of("--data", data().toString()));
    command.addAll(List.of("--listen", member.address()));
    command.addAll(List.of("--admin-listen", member.adminAddress()));
    settings.forEach(setting -> command.addAll(List.of("--set", setting)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    builder.environment().putAll(environment);
    ProcessHandle process = builder.start().toHandle();
    long begunMs = process.info().startInstant().orElse(Instant.EPOCH).toEpochMilli();
    SmallFile.write(pidFile(), process.pid() + " begun=" + begunMs + "\n");
  }

  /**
   * Waits until the process is ready.
   *
   * @throws IOException with the last 10 lines of its log if it ends or the time limit is reached
   */
  void awaitReady(Backoff backoff) throws IOException {
    while (!isReady()) {
      boolean ended = running().isEmpty();
      if (ended || !backoff.again()) {
        throw new IOException(
            member.name()
                + (ended ? " ended before it served; " : " does not serve yet; ")
                + log()
                + " ends with\n"
                + tail());
      }
    }
  }

  private String tail() throws IOException {
    List<String> lines = Files.exists(log()) ? Files.readAllLines(log()) : List.of();
    return lines.stream()
        .skip(Math.max(0, lines.size() - LOG_LINES_MAX))
        .map(line -> "  " + line)
        .collect(Collectors.joining("\n"));
  }

  /**
   * Waits for the end of the process, and deletes its pid file.
   *
   * @throws IOException if it still runs at the time limit
   */
  void awaitEnd(Backoff backoff) throws IOException {
    Optional<ProcessHandle> process = running();
    while (process.isPresent()) {
      if (!backoff.again()) {
        throw new IOException(
            member.name()
                + ", process "
                + process.orElseThrow().pid()
                + ", was told to end and still runs; see "
                + log());
      }
      process = running();
    }
    Files.deleteIfExists(pidFile());
  }
}
