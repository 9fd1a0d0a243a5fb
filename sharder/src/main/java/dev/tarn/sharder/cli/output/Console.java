package dev.tarn.sharder.cli.output;

import dev.tarn.sharder.Progress;
import java.io.PrintWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The output of a command.
 *
 * <p>Text: progress and warnings go to standard error, results and the summary to standard output.
 *
 * <p>With {@code --json}: all of them are JSON events on standard output, one per line.
 */
@Command
public final class Console {
  static final String JSON = "--json";

  /** An unknown total of files or bytes. */
  public static final long UNKNOWN = -1;

  /** The launcher sets this property if standard error is a terminal; Java cannot detect that. */
  private static final String TERMINAL = "sharder.terminal";

  /** The launcher sets this property to the width of the terminal. */
  private static final String COLUMNS = "sharder.columns";

  private static final int USUAL_COLUMNS = 80;

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
   * Begins to show progress, until it is closed or another one begins.
   *
   * @param verb the activity, such as "packing"
   * @param files the total number of files, or {@link #UNKNOWN}
   * @param bytes their total size, or {@link #UNKNOWN}
   */
  public Progress begin(String verb, long files, long bytes) {
    if (quiet) {
      return new Progress();
    }
    if (display != null) {
      display.close();
    }
    ProgressDisplay.Style style =
        json
            ? ProgressDisplay.Style.JSON
            : Boolean.getBoolean(TERMINAL)
                ? ProgressDisplay.Style.BAR
                : ProgressDisplay.Style.LINES;
    ProgressDisplay begun =
        new ProgressDisplay(
            verb,
            files,
            bytes,
            json ? out() : err(),
            style,
            Integer.getInteger(COLUMNS, USUAL_COLUMNS));
    begun.start();
    display = begun;
    return begun;
  }

  /** Prints a warning; the command continues. */
  public void warn(String text) {
    say("warning", text);
  }

  /** Prints an error; the command continues to find further errors. */
  public void error(String text) {
    say("error", text);
  }

  /**
   * Prints a problem of the data that the command examines.
   *
   * @param fields for the JSON output
   * @param text for the text output
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
   * Prints one result; no progress is shown after it.
   *
   * @param event the event's name in the JSON output
   * @param fields for the JSON output
   * @param text for the text output
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

  /** Prints the summary, but only in the JSON output. */
  public void summary(Map<String, ?> fields) {
    if (json && !quiet) {
      event("summary", fields);
    }
  }

  /**
   * Prints the summary, unless the console is quiet.
   *
   * @param fields for the JSON output
   * @param text for the text output
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
