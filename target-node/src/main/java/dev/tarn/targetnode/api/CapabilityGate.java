package dev.tarn.targetnode.api;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.TargetRequest;
import java.util.Optional;

/** Who gets in: calls with a capability for what they ask. */
final class CapabilityGate {
  private final Capabilities capabilities;

  CapabilityGate(Capabilities capabilities) {
    this.capabilities = capabilities;
  }

  /** Whether whoever calls may call at all, judged before a byte of the request is kept. */
  Optional<Failure> refuseCaller(String capability) {
    return capabilities.refuse(capability);
  }

  Optional<Failure> refuse(String capability, TargetRequest<?> request) {
    return capabilities.refuse(capability, Grant.of(request));
  }
}
