package dev.tarn.benchmarks.report;

import static java.util.Locale.ROOT;

/** What a cell has to reach. */
public sealed interface Goal {
  boolean reached(double ours, double ratio);

  /** As shown in the report. */
  String text();

  /** The ratio to the yardstick stays below a bound: for costs. */
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

  /** The ratio to the yardstick is at least this: for rates. */
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

  /** An absolute rate, or where the machine cannot give it, a share of the yardstick's. */
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

  /** An absolute bound, whatever the yardstick needs. */
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

  /** No more than the yardstick and so much beyond: for what comes on top of a cost. */
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

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(ROOT, "%.0f", value)
        : String.format(ROOT, "%s", value);
  }
}
