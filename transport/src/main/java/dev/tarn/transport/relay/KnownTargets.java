package dev.tarn.transport.relay;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.transport.tls.MemberTls;
import java.util.Optional;

/** The known properties of the targets that a process calls. Safe for several threads. */
@FunctionalInterface
public interface KnownTargets {
  /**
   * The TLS of a new connection to an address; empty if the target there takes calls in the clear.
   *
   * @throws IllegalStateException if no member of the cluster has announced this address
   */
  Optional<MemberTls> tlsAt(TargetAddress address);

  /** The name of the target at an address in messages, such as "target t1". S3 clients read it. */
  default String nameOf(TargetAddress address) {
    return "the target at " + address;
  }
}
