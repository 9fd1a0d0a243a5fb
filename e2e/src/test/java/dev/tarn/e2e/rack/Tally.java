package dev.tarn.e2e.rack;

import java.util.ArrayList;
import java.util.List;

/**
 * How calls through each gateway ended, after the SDK's own retries.
 *
 * @param gateways in their order
 */
record Tally(List<Calls> gateways) {
  Tally {
    gateways = List.copyOf(gateways);
  }

  /**
   * Of one gateway.
   *
   * @param unavailable answered 503
   * @param broken without an answer
   */
  record Calls(long succeeded, long unavailable, long broken) {
    long failed() {
      return unavailable + broken;
    }

    private Calls minus(Calls earlier) {
      return new Calls(
          succeeded - earlier.succeeded,
          unavailable - earlier.unavailable,
          broken - earlier.broken);
    }
  }

  /** Of a gateway; they are numbered from 1. */
  Calls gateway(int number) {
    return gateways.get(number - 1);
  }

  /** Of all gateways. */
  long failed() {
    return gateways.stream().mapToLong(Calls::failed).sum();
  }

  /** Whether there were so many successes through each of them. */
  boolean eachSucceeded(long times) {
    return gateways.stream().allMatch(calls -> calls.succeeded() >= times);
  }

  Tally minus(Tally earlier) {
    List<Calls> calls = new ArrayList<>();
    for (int i = 0; i < gateways.size(); i++) {
      calls.add(gateways.get(i).minus(earlier.gateways.get(i)));
    }
    return new Tally(calls);
  }
}
