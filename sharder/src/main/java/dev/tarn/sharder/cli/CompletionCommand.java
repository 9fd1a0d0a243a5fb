package dev.tarn.sharder.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a completion script of its program for a shell. */
@Command(
    name = "completion",
    description =
        "Prints a script with which the shell completes commands, options and file names.",
    footer = {
      "",
      "Examples:",
      "  source <(${ROOT-COMMAND-NAME} completion bash) # in ~/.bashrc",
      "  source <(${ROOT-COMMAND-NAME} completion zsh)  # in ~/.zshrc",
    },
    mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
  /** Zsh uses bash's completion, which must be loaded first. */
  private static final String ZSH_PREAMBLE =
      "autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n";

  /** The supported shells. */
  enum Shell {
    BASH,
    ZSH
  }

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "bash|zsh", description = "The shell.")
  private Shell shell = Shell.BASH;

  @Override
  public Integer call() {
    if (spec == null) {
      throw new IllegalStateException("picocli gives every command its spec");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (shell == Shell.ZSH) {
      out.print(ZSH_PREAMBLE);
    }
    out.print(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
    out.flush();
    return 0;
  }
}
