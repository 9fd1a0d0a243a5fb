package dev.tarn.standalone.config;

/** What a process is in the cluster. */
public enum Role {
  /** Gateway, target and control plane in one. */
  ALL,
  /** Speaks S3 and asks targets elsewhere; holds the control plane. */
  GATEWAY,
  /** Keeps objects for gateways elsewhere. */
  TARGET;

  /** Whether it has an S3 listener. */
  public boolean isGateway() {
    return this != TARGET;
  }

  /** Whether it has disks. */
  public boolean isTarget() {
    return this != GATEWAY;
  }
}
