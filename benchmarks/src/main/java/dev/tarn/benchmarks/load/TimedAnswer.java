package dev.tarn.benchmarks.load;

/**
 * The end of a request.
 *
 * @param index of the request
 * @param status of the answer; 0 if the connection broke
 * @param dueNanos when the request was to be sent
 * @param endNanos when the answer was complete, or the connection broke
 * @param location the answer's Location header; empty if it has none
 */
public record TimedAnswer(int index, int status, long dueNanos, long endNanos, String location) {
  private static final double NANOS_PER_MS = 1e6;

  /** Whether the request succeeded. */
  public boolean ok() {
    return status == 200;
  }

  /** The time from when the request was due to its end. */
  public double latencyMs() {
    return (endNanos - dueNanos) / NANOS_PER_MS;
  }
}
