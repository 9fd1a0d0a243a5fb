package dev.tarn.sharder.cli;

import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command without a subcommand; see {@link Subcommands}. */
@Command(
    name = "sharder",
    description = "Packs many small files into tar shards, and maintains the shards.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class SharderCommand implements Runnable {
  private final Interruption interruption;
  private final OutputStream standardOutput;
  @Spec private @Nullable CommandSpec spec;

  SharderCommand(Interruption interruption, OutputStream standardOutput) {
    this.interruption = interruption;
    this.standardOutput = standardOutput;
  }

  /** Returns the stream for binary output. */
  OutputStream standardOutput() {
    return standardOutput;
  }

  Interruption interruption() {
    return interruption;
  }

  @Override
  public void run() {
    if (spec != null) {
      String commands = String.join(", ", spec.subcommands().keySet());
      throw new ParameterException(
          spec.commandLine(), "a command is missing; expected one of " + commands);
    }
  }
}
