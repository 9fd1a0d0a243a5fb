package dev.tarn.standalone.command;

import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.sharder.cli.output.Suggestion;
import dev.tarn.standalone.LogSetup;
import dev.tarn.standalone.config.ConfigException;
import java.io.PrintWriter;
import java.security.Security;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;

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
    try {
      LogSetup.requireLevel(System.getenv(LogSetup.VARIABLE));
    } catch (IllegalArgumentException e) {
      System.err.println("tarn: " + e.getMessage());
      System.exit(ExitCode.USAGE);
    }
    System.exit(commandLine().execute(arguments));
  }

  /** The commands, ready to be executed. */
  public static CommandLine commandLine() {
    TarnCommand root = new TarnCommand();
    CommandLine program = new CommandLine(root);
    program.getSubcommands().values().forEach(Main::nameExamples);
    return program
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((failure, _) -> explain(failure))
        .setExecutionExceptionHandler((failure, line, _) -> explain(root, failure, line));
  }

  /** Puts a heading above the example at the end of each command's help. */
  private static void nameExamples(CommandLine line) {
    String[] footer = line.getCommandSpec().usageMessage().footer();
    if (footer.length == 1) {
      line.getCommandSpec().usageMessage().footerHeading("%nExample:%n");
    }
    line.getSubcommands().values().forEach(Main::nameExamples);
  }

  /** Prints what is wrong with the arguments, and one line that names the help. */
  private static int explain(ParameterException failure) {
    CommandLine line = failure.getCommandLine();
    String name = line.getCommandSpec().qualifiedName();
    PrintWriter err = line.getErr();
    err.println(name + ": " + failure.getMessage());
    Suggestion.print(failure, err);
    err.println("See " + name + " --help.");
    return ExitCode.USAGE;
  }

  private static int explain(TarnCommand root, Exception failure, CommandLine line) {
    PrintWriter err = line.getErr();
    if (root.debug()) {
      failure.printStackTrace(err);
    }
    String message = FailureHandler.message(failure);
    message
        .lines()
        .forEach(text -> err.println(line.getCommandSpec().qualifiedName() + ": " + text));
    return failure instanceof ConfigException ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }
}
