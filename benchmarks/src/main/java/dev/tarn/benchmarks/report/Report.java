package dev.tarn.benchmarks.report;

/** Receives the finished cells. */
public interface Report {
  /** Shows a cell as soon as it is measured. */
  void add(Cell cell);
}
