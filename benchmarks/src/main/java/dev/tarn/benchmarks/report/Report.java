package dev.tarn.benchmarks.report;

/** Where finished cells go. */
public interface Report {
  /** Shows a cell as soon as it is measured. */
  void add(Cell cell);
}
