package dev.tarn.gateway.http;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** How much memory and how many connections each client holds. Fixed once it is published. */
final class Holdings {
  private final Map<String, Long> bytes = new HashMap<>();
  private final Map<String, Long> connections = new HashMap<>();

  void add(String client, long heldBytes, long openConnections) {
    bytes.merge(client, heldBytes, Long::sum);
    connections.merge(client, openConnections, Long::sum);
  }

  void addAll(Holdings other) {
    other.bytes.forEach(
        (client, held) -> add(client, held, other.connections.getOrDefault(client, 0L)));
  }

  /** The memory that all clients hold. */
  long sumBytes() {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The clients that hold more than a fair share of a limit that is exceeded. */
  Set<String> above(long bytesMax, long connectionsMax) {
    Set<String> above = new HashSet<>(FairShares.above(bytes, bytesMax));
    above.addAll(FairShares.above(connections, connectionsMax));
    return Set.copyOf(above);
  }
}
