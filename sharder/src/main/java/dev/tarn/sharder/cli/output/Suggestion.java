package dev.tarn.sharder.cli.output;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Names the option or command that a misspelt word may mean. Only names that differ in a few
 * characters are named: a wrong suggestion is worse than none.
 */
public final class Suggestion {
  private Suggestion() {}

  /** Prints a suggestion if the failure is a word that no command knows, and there is one. */
  public static void print(ParameterException failure, PrintWriter to) {
    if (failure instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()) {
      find(unmatched.getUnmatched().get(0), failure.getCommandLine().getCommandSpec())
          .ifPresent(name -> to.println("Did you mean " + name + "?"));
    }
  }

  private static Optional<String> find(String word, CommandSpec command) {
    String name = word.replaceFirst("=.*", "");
    Stream<String> known =
        name.startsWith("-")
            ? command.optionsMap().keySet().stream()
            : command.subcommands().keySet().stream();
    return known
        .filter(candidate -> distance(name, candidate) <= name.length() / 3)
        .min(Comparator.comparingInt(candidate -> distance(name, candidate)));
  }

  /** The number of characters to insert, remove or replace; two exchanged neighbours count once. */
  private static int distance(String from, String to) {
    int[][] steps = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        int other = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        int least = Math.min(steps[i - 1][j], steps[i][j - 1]) + 1;
        least = Math.min(least, steps[i - 1][j - 1] + other);
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          least = Math.min(least, steps[i - 2][j - 2] + 1);
        }
        steps[i][j] = least;
      }
    }
    return steps[from.length()][to.length()];
  }
}
