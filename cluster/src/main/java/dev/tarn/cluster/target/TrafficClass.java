package dev.tarn.cluster.target;

import java.util.List;

/** Whether somebody waits for a call. */
public enum TrafficClass {
  /** A client waits for the answer. */
  FOREGROUND,
  /** The call is upkeep of the cluster, such as a lifecycle round. */
  BACKGROUND;

  /** In the order of their codes in messages; append only. */
  public static final List<TrafficClass> CODES = List.of(FOREGROUND, BACKGROUND);
}
