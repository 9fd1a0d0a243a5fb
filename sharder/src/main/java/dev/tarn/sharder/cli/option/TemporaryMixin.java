package dev.tarn.sharder.cli.option;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The option for the folder of temporary files. */
@Command
public final class TemporaryMixin {
  @Option(
      names = "--temp-dir",
      paramLabel = "DIR",
      description = "For what memory does not hold (default: ${DEFAULT-VALUE}).",
      defaultValue = "${sys:java.io.tmpdir}")
  private Path folder = Path.of("");

  public Path folder() {
    return folder;
  }
}
