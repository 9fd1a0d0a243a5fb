package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.control.ControlState;

/** Who asks, and so what of the state is told. */
public enum Audience {
  /** Everything. */
  GATEWAY(0),
  /** Everything but users and their key pairs. */
  TARGET(1);

  private final int tag;

  Audience(int tag) {
    this.tag = tag;
  }

  /** In messages; never given a second meaning. */
  int tag() {
    return tag;
  }

  ControlState part(ControlState state) {
    return this == GATEWAY ? state : state.withoutIdentities();
  }
}
