package dev.tarn.standalone.cluster;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The command that starts a process of this program.
 *
 * @param command the words before the program's own arguments
 */
public record Launcher(List<String> command) {
  /** The system property with the path of the script that started this process. */
  private static final String SCRIPT = "tarn.launcher";

  public Launcher {
    command = List.copyOf(requireNonNull(command, "command is null"));
  }

  /**
   * The command that started this process: its script, or its JVM with its class path if there is
   * no script.
   */
  public static Launcher ofThisProcess() {
    String script = System.getProperty(SCRIPT, "");
    if (!script.isEmpty()) {
      return new Launcher(List.of(script));
    }
    return new Launcher(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.tarn.standalone.command.Main"));
  }

  /**
   * The same command for a process that outlives this one and its terminal. It runs under setsid,
   * or under nohup if setsid is not in the PATH.
   */
  Launcher detached(Map<String, String> environment) {
    String path = environment.getOrDefault("PATH", "");
    String session =
        Stream.of(path.split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "setsid")))
            ? "setsid"
            : "nohup";
    return new Launcher(Stream.concat(Stream.of(session), command.stream()).toList());
  }
}
