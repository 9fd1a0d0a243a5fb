package dev.tarn.sharder.cli;

import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.sharder.cli.output.UsageHandler;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import picocli.CommandLine;

/** The {@code sharder} command: exit code 0 for success, 1 for failure, 2 for wrong usage. */
public final class SharderMain {
  private SharderMain() {}

  /** Runs the command and exits. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    try (Interruption interruption = new Interruption()) {
      return commandLine(interruption, new FileOutputStream(FileDescriptor.out), arguments)
          .execute(arguments);
    } catch (OutOfMemoryError e) {
      System.err.printf(
          "sharder: out of memory (%s): the heap limit is %s; set a larger one, such as"
              + " TARN_JAVA_OPTS=-Xmx4g, or pack fewer files at a time%n",
          e.getMessage(), ByteSize.print(Runtime.getRuntime().maxMemory()));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** All commands, to be described and not executed. */
  public static CommandLine commandLine() {
    try (Interruption interruption = new Interruption()) {
      return commandLine(interruption, OutputStream.nullOutputStream());
    }
  }

  /**
   * Creates the command.
   *
   * @param interruption handles signals until it is closed
   * @param standardOutput the stream for binary output
   * @param arguments of the command, which select its subcommands; none for all subcommands
   */
  static CommandLine commandLine(
      Interruption interruption, OutputStream standardOutput, String... arguments) {
    CommandLine sharder = new CommandLine(new SharderCommand(interruption, standardOutput));
    Subcommands.add(sharder, arguments);
    return sharder
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(ByteSize.class, ByteSize::parse)
        .setParameterExceptionHandler(new UsageHandler())
        .setExecutionExceptionHandler(new FailureHandler());
  }
}
