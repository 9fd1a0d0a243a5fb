package dev.tarn.benchmarks.load;

import static java.util.Objects.requireNonNull;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The requests to send. Each connection has one request in flight, and sends the next as soon as
 * the answer is complete.
 *
 * @param duration how long to repeat the requests; empty to send each once
 * @param verified whether to compare the CRC32C of the bodies with the expected one
 */
public record Load(
    InetSocketAddress server,
    List<PreparedRequest> requests,
    int connections,
    Optional<Duration> duration,
    boolean verified) {
  public Load {
    requireNonNull(server, "server is null");
    requests = List.copyOf(requests);
    requireNonNull(duration, "duration is null");
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("requests is empty");
    }
    if (connections < 1) {
      throw new IllegalArgumentException("connections must be at least 1: " + connections);
    }
  }

  /** Sends each request once. */
  public static Load once(
      InetSocketAddress server, List<PreparedRequest> requests, int connections) {
    return new Load(server, requests, connections, Optional.empty(), true);
  }

  /** Repeats the requests until the duration has passed. */
  public static Load during(
      InetSocketAddress server,
      List<PreparedRequest> requests,
      int connections,
      Duration duration) {
    return new Load(server, requests, connections, Optional.of(duration), false);
  }

  public Load verifyingBodies() {
    return new Load(server, requests, connections, duration, true);
  }
}
