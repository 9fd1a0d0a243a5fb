package dev.tarn.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Programs that the benchmarks use beside Tarn. */
public final class InstalledTool {
  private static final Duration INSTALL_TIMEOUT = Duration.ofMinutes(5);

  private InstalledTool() {}

  /**
   * Returns the path of a program, which is installed for this user if the machine has none.
   *
   * @param name nginx or wrk
   * @param scratch a folder for the log
   */
  public static Path path(TarnHome home, String name, Path scratch) throws IOException {
    Path log = scratch.resolve("install-" + name + ".log");
    ProcessBuilder command = new ProcessBuilder(home.script("install-tool").toString(), name);
    ServerProcess script = ServerProcess.start(command, log);
    return script.await(() -> installed(script, log), INSTALL_TIMEOUT);
  }

  /** The script prints the path as its last line. */
  private static Optional<Path> installed(ServerProcess script, Path log) throws IOException {
    if (script.handle().isAlive()) {
      return Optional.empty();
    }
    return Files.readAllLines(log).stream()
        .reduce((earlier, last) -> last)
        .map(Path::of)
        .filter(Files::isExecutable);
  }
}
