package dev.tarn.sharder.cli;

import java.io.OutputStream;
import java.util.List;
import picocli.CommandLine;

/**
 * Runs the commands that should start quickly on prepared files. The launcher records in this
 * process which classes they load and which of their methods are hot.
 */
final class TrainingRun {
  private TrainingRun() {}

  /** Takes three folders: one with files, and two that do not exist yet. */
  public static void main(String[] folders) {
    String source = folders[0];
    String packed = folders[1];
    String anew = folders[2];
    for (List<String> words :
        List.of(
            List.of("pack", source, packed),
            List.of("verify", packed),
            List.of("reshard", packed, anew, "--seed", "1"))) {
      int exitCode = run(words.toArray(String[]::new));
      if (exitCode != CommandLine.ExitCode.OK) {
        System.exit(exitCode);
      }
    }
  }

  private static int run(String[] words) {
    try (Interruption interruption = new Interruption()) {
      return SharderMain.commandLine(interruption, OutputStream.nullOutputStream(), words)
          .execute(words);
    }
  }
}
