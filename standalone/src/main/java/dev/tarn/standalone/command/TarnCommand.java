package dev.tarn.standalone.command;

import dev.tarn.sharder.cli.CompletionCommand;
import dev.tarn.standalone.demo.DemoCommand;
import dev.tarn.standalone.node.ProgramVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code bin/tarn}: the list of commands. */
@Command(
    name = "tarn",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "An S3-compatible caching object store for machine-learning datasets.",
    footer = {"", "A checkout has one more command: bin/tarn bench measures it on this machine."},
    subcommands = {
      ServeCommand.class,
      BucketCommand.class,
      UserCommand.class,
      KeyCommand.class,
      ClusterCommand.class,
      ApplyCommand.class,
      CheckCommand.class,
      ScrubCommand.class,
      StatusCommand.class,
      ProfileCommand.class,
      DashboardCommand.class,
      DemoCommand.class,
      CompletionCommand.class
    })
final class TarnCommand {
  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of a failure.")
  private boolean debug;

  boolean debug() {
    return debug;
  }
}
