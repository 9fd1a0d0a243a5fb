package dev.tarn.standalone.config;

import java.util.Locale;

/** The role of a process in the cluster. */
public enum Role {
  /** Gateway, target and control plane in one. */
  ALL,
  /** Holds the control plane for gateways and targets elsewhere. */
  CONTROL,
  /** Speaks S3, follows the control plane and calls targets elsewhere. */
  GATEWAY,
  /** Keeps objects for gateways elsewhere. */
  TARGET;

  /** The role's name in settings and messages. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it has disks. */
  public boolean isTarget() {
    return this == ALL || this == TARGET;
  }

  /** Whether it follows a control plane elsewhere. */
  public boolean isMember() {
    return this == GATEWAY || this == TARGET;
  }
}
