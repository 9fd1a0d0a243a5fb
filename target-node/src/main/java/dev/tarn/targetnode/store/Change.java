package dev.tarn.targetnode.store;

import java.io.IOException;

/**
 * Decides at the commit what to write. It runs on the only thread that changes the disk's state.
 * The state therefore cannot change between the decision and the commit, and preconditions need no
 * locks. It must wait for nothing but the index, and is called at most once.
 *
 * @param <T> the result of a success
 */
@FunctionalInterface
public interface Change<T> {
  /** Decides on the state that all earlier commits left. */
  Decision<T> decide(CommitView view) throws IOException;
}
