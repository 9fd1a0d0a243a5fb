package dev.tarn.transport.server;

import static java.util.Objects.requireNonNull;

/**
 * The services of a target for gateways.
 *
 * @param calls admits the calls about objects
 * @param administration the report and the scrub
 */
public record TargetServices(CallAdmission calls, TargetAdministration administration) {
  public TargetServices {
    requireNonNull(calls, "calls is null");
    requireNonNull(administration, "administration is null");
  }
}
