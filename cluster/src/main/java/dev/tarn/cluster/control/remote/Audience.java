package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.control.StateChange;
import java.util.List;

/** The kind of a member, which decides what part of a state it gets. */
public enum Audience {
  /** Gets everything. */
  GATEWAY,
  /** Gets everything but users and their key pairs. */
  TARGET;

  /** In the order of their codes in messages; append only. */
  static final List<Audience> CODES = List.of(GATEWAY, TARGET);

  StateChange part(StateChange change) {
    return this == GATEWAY ? change : change.withoutIdentities();
  }
}
