package dev.tarn.transport.server;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.ObjectTarget;

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
}
