package dev.tarn.sharder.cli.output;

import dev.tarn.sharder.progress.Progress;
import java.io.PrintWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * How a command tells of itself. To people: progress and warnings on standard error, results and
 * the summary on standard output. To programs, by {@code --json}: all of it as events on standard
 * output, one a line.
 */
@Command
public final class Console {
  static final String JSON = "--json";

  /** As the total of a progress: nobody knows it. */
  public static final long UNKNOWN = -1;

  /** The launcher's word on whether standard error is a terminal; Java knows only of the others. */
  private static final String TERMINAL = "sharder.terminal";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no progress and no summary; warnings and errors are still printed.")
  private boolean quiet;

  @Option(
      names = JSON,
      description = "Print progress, results, warnings, errors and the summary as lines of JSON.")
  private boolean json;

  private @Nullable ProgressDisplay display;

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("picocli gives every mixin the spec of its command");
    }
    return spec;
  }

  private PrintWriter out() {
    return spec().commandLine().getOut();
  }

  private PrintWriter err() {
    return spec().commandLine().getErr();
  }

  /**
   * Begins to show a progress, until it is closed; one at a time.
   *
   * @param verb what is done, such as "packing"
   * @param files how many there are in all, or {@link #UNKNOWN}
   * @param bytes how many they have in all, or {@link #UNKNOWN}
   */
  public Progress begin(String verb, long files, long bytes) {
    if (quiet) {
      return new Progress();
    }
    ProgressDisplay.Style style =
        json
            ? ProgressDisplay.Style.JSON
            : Boolean.getBoolean(TERMINAL)
                ? ProgressDisplay.Style.BAR
                : ProgressDisplay.Style.LINES;
    ProgressDisplay begun = new ProgressDisplay(verb, files, bytes, json ? out() : err(), style);
    begun.start();
    display = begun;
    return begun;
  }

  /** Says what is not as it should be, though the command goes on. */
  public void warn(String text) {
    say("warning", text);
  }

  /** Says what is wrong, where the command goes on to find what else is. */
  public void error(String text) {
    say("error", text);
  }

  /**
   * Says what is wrong with what the command looks at.
   *
   * @param fields to programs
   * @param text to people
   */
  public void problem(Map<String, ?> fields, String text) {
    say("problem", fields, text);
  }

  private void say(String event, String text) {
    say(event, Map.of("message", text), text);
  }

  private void say(String event, Map<String, ?> fields, String text) {
    if (json) {
      event(event, fields);
      return;
    }
    if (display != null) {
      display.wipe();
    }
    err().println("sharder: " + text);
    err().flush();
  }

  /**
   * Prints a part of what was asked for; from then on no progress is shown.
   *
   * @param event what it is, to programs
   * @param fields to programs
   * @param text to people
   */
  public void result(String event, Map<String, ?> fields, String text) {
    if (display != null) {
      display.close();
      display = null;
    }
    if (json) {
      event(event, fields);
    } else {
      out().println(text);
    }
  }

  private void event(String event, Map<String, ?> fields) {
    out().println(JsonEvent.line(event, fields));
    out().flush();
  }

  /** Says what the command came to, to programs; people have been told otherwise. */
  public void summary(Map<String, ?> fields) {
    if (json && !quiet) {
      event("summary", fields);
    }
  }

  /**
   * Says what the command came to.
   *
   * @param fields to programs
   * @param text to people
   */
  public void summary(Map<String, ?> fields, String text) {
    if (quiet) {
      return;
    }
    if (json) {
      event("summary", fields);
    } else {
      out().println(text);
      out().flush();
    }
  }
}
