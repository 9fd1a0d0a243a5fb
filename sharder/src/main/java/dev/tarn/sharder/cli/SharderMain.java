package dev.tarn.sharder.cli;

import picocli.CommandLine;

/** The {@code sharder} command: exit code 0 for success, 1 for failure, 2 for wrong usage. */
public final class SharderMain {
  private SharderMain() {}

  /** Runs the command and exits. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new SharderCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(ByteSize.class, ByteSize::parse)
        .setExecutionExceptionHandler(new FailureHandler());
  }
}
