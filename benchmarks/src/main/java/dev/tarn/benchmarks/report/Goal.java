package dev.tarn.benchmarks.report;

import static java.util.Locale.ROOT;

/** The goal of a cell. */
public sealed interface Goal {
  boolean reached(double ours, double ratio);

  /** The text in the report. */
  String text();

  /** The ratio to the yardstick is at most a bound; for costs. */
  record RatioAtMost(double bound) implements Goal {
    @Override
    public boolean reached(double ours, double ratio) {
      return ratio <= bound;
    }

    @Override
    public String text() {
      return "ratio <= " + number(bound);
    }
  }

  /** The ratio to the yardstick is at least a bound; for rates. */
  record RatioAtLeast(double bound) implements Goal {
    @Override
    public boolean reached(double ours, double ratio) {
      return ratio >= bound;
    }

    @Override
    public String text() {
      return "ratio >= " + number(bound);
    }
  }

  /** An absolute rate, or a share of the yardstick's rate on a machine that is too slow for it. */
  record AtLeastOrRatio(double rate, double bound) implements Goal {
    @Override
    public boolean reached(double ours, double ratio) {
      return ours >= rate || ratio >= bound;
    }

    @Override
    public String text() {
      return "ours >= " + number(rate) + " or ratio >= " + number(bound);
    }
  }

  /** An absolute least value, independent of the yardstick. */
  record AtLeast(double bound) implements Goal {
    @Override
    public boolean reached(double ours, double ratio) {
      return ours >= bound;
    }

    @Override
    public String text() {
      return "ours >= " + number(bound);
    }
  }

  /** An absolute bound, independent of the yardstick. */
  record AtMost(double bound) implements Goal {
    @Override
    public boolean reached(double ours, double ratio) {
      return ours <= bound;
    }

    @Override
    public String text() {
      return "ours <= " + number(bound);
    }
  }

  /** At most the yardstick's value plus a bound; for a cost on top of another cost. */
  record AtMostBeyond(double bound) implements Goal {
    @Override
    public boolean reached(double ours, double ratio) {
      return ours - ours / ratio <= bound;
    }

    @Override
    public String text() {
      return "ours <= yardstick + " + number(bound);
    }
  }

  /** At least the yardstick's value, less a bound; for shares. */
  record AtLeastWithin(double bound) implements Goal {
    @Override
    public boolean reached(double ours, double ratio) {
      return ours / ratio - ours <= bound;
    }

    @Override
    public String text() {
      return "ours >= yardstick - " + number(bound);
    }
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(ROOT, "%.0f", value)
        : String.format(ROOT, "%s", Math.rint(value * 1000) / 1000);
  }
}
