package dev.tarn.cluster.control.local;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.ControlState;

/**
 * The result of opening a log.
 *
 * @param state snapshot and records together
 * @param replayedCommands how many records were newer than the snapshot
 * @param tornBytes how many bytes of an incomplete, never acknowledged record were cut off the end
 */
public record Recovery(ControlState state, int replayedCommands, int tornBytes) {
  public Recovery {
    requireNonNull(state, "state is null");
  }
}
