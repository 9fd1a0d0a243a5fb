package dev.tarn.cluster.control.remote;

import java.nio.file.Path;

/** Hears how a member fares with the control node, such as to log it. Called on any thread. */
public interface ControlListener {
  /** The control node does not answer, or not so that it can be followed; told once until back. */
  void away(String reason);

  /** The control node is followed again, or for the first time. */
  void followed();

  /** What an earlier run had kept cannot be read; the control node is asked for all of it. */
  void forgot(Exception reason, Path unreadable);

  /** A newer state could not be kept on disk; it is used all the same. */
  void notKept(Exception reason);
}
