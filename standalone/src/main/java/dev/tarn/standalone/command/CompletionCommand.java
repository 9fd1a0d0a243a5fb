package dev.tarn.standalone.command;

import static java.util.Objects.requireNonNull;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/tarn completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Print a script that completes commands and options in bash and zsh.",
    footer = "  source <(tarn completion)")
final class CompletionCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = requireNonNull(spec, "picocli sets the spec").root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    out.print(AutoComplete.bash(root.getCommandName(), root));
    out.flush();
    return 0;
  }
}
