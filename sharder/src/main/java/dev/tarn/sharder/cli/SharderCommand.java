package dev.tarn.sharder.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Names the subcommands. */
@Command(
    name = "sharder",
    description = "Packs many small files into tar shards, and looks after them.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {PackCommand.class, LsCommand.class, HeadCommand.class, VerifyCommand.class})
final class SharderCommand implements Runnable {
  private final Interruption interruption;
  @Spec private @Nullable CommandSpec spec;

  SharderCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  Interruption interruption() {
    return interruption;
  }

  @Override
  public void run() {
    if (spec != null) {
      String commands = String.join(", ", spec.subcommands().keySet());
      throw new ParameterException(spec.commandLine(), "which command? One of " + commands);
    }
  }
}
