package dev.tarn.sharder.cli.option;

import dev.tarn.sharder.pack.Slice;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options for the part of a plan that a command packs. */
@Command
public final class TaskMixin {
  /** Kubernetes sets this variable in the pods of an Indexed Job. */
  private static final String INDEX_VARIABLE = "JOB_COMPLETION_INDEX";

  private static final Pattern TASK = Pattern.compile("(\\d{0,9})/(\\d{1,9})");

  @Option(
      names = "--plan",
      paramLabel = "PLAN",
      description =
          "Pack what sharder plan planned, in place of SOURCE... DEST. Started again, it goes on"
              + " where it stopped.")
  private @Nullable String plan;

  @Option(
      names = "--task",
      paramLabel = "I/N",
      description =
          "Pack the part I, from 0, of N parts of the plan, and write no manifest: that does"
              + " sharder commit when all are packed. Without I it is taken from"
              + " JOB_COMPLETION_INDEX, as Kubernetes sets it.")
  private @Nullable String task;

  @Option(names = "--tasks", paramLabel = "N", description = "The same as --task /N.")
  private @Nullable Integer tasks;

  /** Returns the plan's name, if given. */
  public Optional<String> plan() {
    return Optional.ofNullable(plan);
  }

  /**
   * Returns the slice of the plan; empty for the whole plan.
   *
   * @throws IllegalArgumentException naming the invalid option
   */
  public Optional<Slice> slice(Map<String, String> environment) {
    if (task != null && tasks != null) {
      throw new IllegalArgumentException("--task and --tasks exclude each other; give one of them");
    }
    if (tasks != null) {
      return Optional.of(new Slice(index(environment, "--tasks"), tasks));
    }
    if (task == null) {
      return Optional.empty();
    }
    Matcher matcher = TASK.matcher(task);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "--task "
              + task
              + ": expected a number from 0, a slash and the number of tasks, such as 0/4");
    }
    String number = matcher.group(1);
    int index = number.isEmpty() ? index(environment, "--task") : Integer.parseInt(number);
    return Optional.of(new Slice(index, Integer.parseInt(matcher.group(2))));
  }

  private static int index(Map<String, String> environment, String option) {
    String index = environment.get(INDEX_VARIABLE);
    if (index == null || !index.matches("\\d{1,9}")) {
      throw new IllegalArgumentException(
          option
              + " without the task's number: "
              + INDEX_VARIABLE
              + (index == null ? " is not set" : " is \"" + index + "\", which is not a number")
              + "; give it as --task I/N");
    }
    return Integer.parseInt(index);
  }
}
