package dev.tarn.cluster.map;

/** Whether a target of the map is in service. */
public enum MemberState {
  /** The target serves the slots that it has. */
  IN_SERVICE,
  /**
   * The target was told to serve nothing. Its primary slots wait for it. It caches nothing: other
   * targets have its cached slots.
   */
  OUT_OF_SERVICE,
  /**
   * The target was told to serve nothing, and has not confirmed it. It may still answer gateways
   * that do not know, so others have only those of its cached slots' keys whose bucket asks the
   * backend at each read.
   */
  LEAVING
}
