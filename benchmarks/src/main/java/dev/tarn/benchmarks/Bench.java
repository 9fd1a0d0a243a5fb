package dev.tarn.benchmarks;

import java.io.PrintStream;
import picocli.CommandLine;

/** The main class behind {@code bin/tarn bench}. */
public final class Bench {
  private Bench() {}

  public static void main(String[] arguments) {
    System.exit(commandLine(System.out).execute(arguments));
  }

  static CommandLine commandLine(PrintStream out) {
    return new CommandLine(new BenchCommand(out))
        .setCommandName("tarn bench")
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Bench::explain);
  }

  private static int explain(
      Exception failure, CommandLine line, CommandLine.ParseResult arguments) {
    BenchCommand command = line.getCommand();
    if (command.debug()) {
      failure.printStackTrace(line.getErr());
    } else {
      line.getErr().println("tarn bench: " + failure.getMessage());
    }
    return 1;
  }
}
