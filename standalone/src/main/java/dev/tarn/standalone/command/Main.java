package dev.tarn.standalone.command;

import dev.tarn.standalone.config.ConfigException;
import java.io.PrintWriter;
import java.security.Security;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** The program behind {@code bin/tarn}. */
public final class Main {
  private Main() {}

  /**
   * Runs a command and ends the process. The exit code is 0 for success, 1 for failure, 2 for wrong
   * usage.
   */
  public static void main(String[] arguments) {
    // Short DNS caching: after a control node's address changes, members reach it within seconds.
    Security.setProperty("networkaddress.cache.ttl", "5");
    Security.setProperty("networkaddress.cache.negative.ttl", "1");
    System.exit(commandLine().execute(arguments));
  }

  /** The commands, ready to be executed. */
  static CommandLine commandLine() {
    TarnCommand root = new TarnCommand();
    return new CommandLine(root)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((failure, line, _) -> explain(root, failure, line));
  }

  private static int explain(TarnCommand root, Exception failure, CommandLine line) {
    PrintWriter err = line.getErr();
    if (root.debug()) {
      failure.printStackTrace(err);
    }
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    message
        .lines()
        .forEach(text -> err.println(line.getCommandSpec().qualifiedName() + ": " + text));
    return failure instanceof ConfigException ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }
}
