package dev.tarn.transport.relay;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.transport.tls.MemberTls;
import java.util.Optional;

/** What a process knows of the targets that it calls. Safe for several threads. */
@FunctionalInterface
public interface KnownTargets {
  /**
   * The TLS of a new connection to an address; empty if the target there takes calls in the clear.
   *
   * @throws IllegalStateException if no member of the cluster has announced this address
   */
  Optional<MemberTls> tlsAt(TargetAddress address);

  /** What messages call the target at an address, such as "target t1". S3 clients read it. */
  default String nameOf(TargetAddress address) {
    return "the target at " + address;
  }
}
