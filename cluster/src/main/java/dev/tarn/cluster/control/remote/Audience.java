package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.control.ControlState;
import java.util.List;

/** Who asks, and so what of the state is told. */
public enum Audience {
  /** Everything. */
  GATEWAY,
  /** Everything but users and their key pairs. */
  TARGET;

  /** By the codes of messages; the list only grows at its end. */
  static final List<Audience> CODES = List.of(GATEWAY, TARGET);

  ControlState part(ControlState state) {
    return this == GATEWAY ? state : state.withoutIdentities();
  }
}
