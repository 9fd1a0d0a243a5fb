package dev.tarn.cluster.control.remote;

import java.nio.file.Path;

/**
 * Receives events of a member's connection to the control node, for example to log them. Called on
 * any thread.
 */
public interface ControlListener {
  /**
   * The control node does not answer, or its answer cannot be used. Called once until it is
   * followed again.
   */
  void away(String reason);

  /** The control node is followed for the first time, or again. */
  void followed();

  /** The state that an earlier run kept cannot be read; the member fetches the whole state. */
  void forgot(Exception reason, Path unreadable);

  /** A newer state could not be written to disk; it is used nevertheless. */
  void notKept(Exception reason);
}
