package dev.tarn.sharder.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;

/**
 * The subcommands, in the order of the help. Picocli reads a command's options by reflection; for
 * all commands together this takes longer than many commands run. Therefore only the called command
 * is added.
 */
final class Subcommands {
  private static final Map<String, Class<?>> CLASSES = new LinkedHashMap<>();

  /** This command needs all other commands. */
  private static final String COMPLETION = "completion";

  static {
    CLASSES.put("pack", PackCommand.class);
    CLASSES.put("plan", PlanCommand.class);
    CLASSES.put("commit", CommitCommand.class);
    CLASSES.put("reshard", ReshardCommand.class);
    CLASSES.put("ls", LsCommand.class);
    CLASSES.put("cat", CatCommand.class);
    CLASSES.put("head", HeadCommand.class);
    CLASSES.put("stats", StatsCommand.class);
    CLASSES.put("unpack", UnpackCommand.class);
    CLASSES.put("verify", VerifyCommand.class);
    CLASSES.put("lint", LintCommand.class);
    CLASSES.put("diff", DiffCommand.class);
    CLASSES.put("index", IndexCommand.class);
    CLASSES.put(COMPLETION, CompletionCommand.class);
  }

  private Subcommands() {}

  /** Adds the subcommand that the first argument names, or all subcommands if none matches. */
  static void add(CommandLine sharder, String... arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    Class<?> called = CLASSES.get(first);
    if (called == null || first.equals(COMPLETION)) {
      CLASSES.forEach(sharder::addSubcommand);
    } else {
      sharder.addSubcommand(first, called);
    }
  }
}
