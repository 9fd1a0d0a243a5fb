package dev.tarn.benchmarks.measure;

/**
 * One round of one side.
 *
 * @param bytes the bytes of content moved
 * @param cpuNanos the CPU time of the measured process, over all threads
 */
public record Measurement(long operations, long bytes, long elapsedNanos, long cpuNanos) {
  private static final double NANOS_PER_SECOND = 1e9;

  public Measurement {
    if (operations < 1) {
      throw new IllegalArgumentException("operations is " + operations + ", must be at least 1");
    }
  }

  public double cpuMicrosPerOperation() {
    return cpuNanos / 1e3 / operations;
  }

  public double operationsPerSecond() {
    return operations * NANOS_PER_SECOND / elapsedNanos;
  }

  public double cpuSecondsPerGigabyte() {
    return (double) cpuNanos / bytes;
  }
}
