package dev.tarn.targetnode.store;

import java.io.IOException;

/**
 * Decides at the commit what is to be written. It runs on the thread that alone changes the disk's
 * state, so what it sees cannot change before what it decides is there: preconditions need no
 * locks. It must not wait for anything but the index, and may be asked only once.
 *
 * @param <T> what a success gives
 */
@FunctionalInterface
public interface Change<T> {
  /** Decides by the state as all earlier commits left it. */
  Decision<T> decide(CommitView view) throws IOException;
}
