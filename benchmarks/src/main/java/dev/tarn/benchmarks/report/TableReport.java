package dev.tarn.benchmarks.report;

import static java.util.Locale.ROOT;
import static java.util.Objects.requireNonNull;

import java.io.PrintStream;

/** Prints a table, one line for each cell. */
public final class TableReport implements Report {
  private static final String LINE = "%-6s %-38s %14s %14s  %-16s %7s  %-30s %s%n";

  private final PrintStream out;
  private boolean headed;

  public TableReport(PrintStream out) {
    this.out = requireNonNull(out, "out is null");
  }

  @Override
  public void add(Cell cell) {
    if (!headed) {
      out.printf(ROOT, LINE, "bench", "cell", "ours", "yardstick", "unit", "ratio", "goal", "ok");
      headed = true;
    }
    out.printf(
        ROOT,
        LINE,
        cell.bench(),
        cell.name(),
        number(cell.ours()),
        number(cell.yardstick()),
        cell.unit(),
        String.format(ROOT, "%.2f", cell.ratio()),
        cell.goal().map(Goal::text).orElse("-"),
        cell.goal().isEmpty() ? "-" : cell.ok() ? "yes" : "MISSED");
    out.flush();
  }

  private static String number(double value) {
    return String.format(ROOT, value < 1 ? "%.3f" : value < 100 ? "%.2f" : "%,.0f", value);
  }
}
