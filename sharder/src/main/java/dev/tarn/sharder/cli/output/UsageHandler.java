package dev.tarn.sharder.cli.output;

import java.util.Arrays;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Prints a usage error as one line, without the help text. */
public final class UsageHandler implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    String message =
        "%s; %s --help says more"
            .formatted(failure.getMessage(), command.getCommandSpec().qualifiedName());
    if (Arrays.asList(arguments).contains(Console.JSON)) {
      command.getOut().println(JsonEvent.line("error", Map.of("message", message)));
      command.getOut().flush();
    } else {
      command.getErr().println("sharder: " + message);
      Suggestion.print(failure, command.getErr());
      command.getErr().flush();
    }
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
