package dev.tarn.sharder.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * What a command came to.
 *
 * @param out what it printed on standard output
 * @param err what it printed on standard error
 */
record CommandLineRun(int exitCode, String out, String err) {
  static CommandLineRun of(Object... arguments) {
    return writing(OutputStream.nullOutputStream(), arguments);
  }

  /** Runs a command whose output is no text. */
  static CommandLineRun writing(OutputStream bytes, Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] words = List.of(arguments).stream().map(Object::toString).toArray(String[]::new);
    try (Interruption interruption = new Interruption()) {
      int exitCode =
          SharderMain.commandLine(interruption, bytes, words)
              .setOut(new PrintWriter(out, true))
              .setErr(new PrintWriter(err, true))
              .execute(words);
      return new CommandLineRun(exitCode, out.toString(), err.toString());
    }
  }
}
