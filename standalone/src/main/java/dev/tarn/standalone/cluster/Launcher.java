package dev.tarn.standalone.cluster;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How processes of this program are started.
 *
 * @param command before the program's own arguments
 */
public record Launcher(List<String> command) {
  /** Set by the script that has started this process, to its own path. */
  private static final String SCRIPT = "tarn.launcher";

  public Launcher {
    command = List.copyOf(requireNonNull(command, "command is null"));
  }

  /** The one that has started this process: its script, or else its JVM with its class path. */
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

  /** The same, so that neither the end of this process nor that of its terminal ends it. */
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
