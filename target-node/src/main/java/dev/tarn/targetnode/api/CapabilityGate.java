package dev.tarn.targetnode.api;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.TargetRequest;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Who gets in: calls with a capability, made under a map that is not older than ours. */
final class CapabilityGate {
  private final Capabilities capabilities;
  private final LongSupplier mapEpoch;

  CapabilityGate(Capabilities capabilities, LongSupplier mapEpoch) {
    this.capabilities = capabilities;
    this.mapEpoch = mapEpoch;
  }

  /** Whether whoever calls may call at all, judged before a byte of the request is kept. */
  Optional<Failure> refuseCaller(String capability) {
    return capabilities.refuse(capability);
  }

  Optional<Failure> refuse(String capability, TargetRequest request) {
    Optional<Failure> refused = capabilities.refuse(capability, Grant.of(request));
    if (refused.isPresent()) {
      return refused;
    }
    long epoch = mapEpoch.getAsLong();
    return request.scope().mapEpoch() < epoch
        ? Optional.of(new Failure.StaleMap(epoch))
        : Optional.empty();
  }
}
