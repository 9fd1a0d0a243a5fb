package dev.tarn.transport.server;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.wire.TargetReport;

/**
 * What a target serves to gateways.
 *
 * @param objects the calls about objects
 * @param administration the report and the scrub
 */
public record TargetServices(ObjectTarget objects, TargetAdministration administration) {
  public TargetServices {
    requireNonNull(objects, "objects is null");
    requireNonNull(administration, "administration is null");
  }

  /** Serves only objects, without administration. */
  public static TargetServices ofObjects(ObjectTarget objects) {
    return new TargetServices(objects, new Silent());
  }

  private static final class Silent implements TargetAdministration {
    @Override
    public TargetReport report() {
      throw new UnsupportedOperationException("this target serves objects alone");
    }

    @Override
    public TargetReport scrub() {
      return report();
    }
  }
}
