package dev.tarn.targetnode.membership;

import dev.tarn.cluster.map.Slot;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Closes slots of primary data that this target gives to others because they are empty.
 *
 * <p>A slot is watched first, then its emptiness is looked up, and then it is closed, unless a
 * change was decided meanwhile. Every change passes at its commit. So what is in a closed slot was
 * decided before the watch, and was found by the look-up. Safe for use by many threads.
 */
public final class SlotGate {
  /** The state of a slot whose calls must be refused. */
  static final int CLOSED = 2;

  private static final int OPEN = 0;
  private static final int WATCHED = 1;

  private final AtomicIntegerArray states = new AtomicIntegerArray(Slot.COUNT);

  /** The states of the slots, for reads of every call. */
  AtomicIntegerArray states() {
    return states;
  }

  /** Begins to watch an open slot for changes. */
  public void watch(int slot) {
    states.set(slot, WATCHED);
  }

  /** Passes a change; false if the slot is closed, so that the change must be refused. */
  boolean pass(int slot) {
    states.compareAndSet(slot, WATCHED, OPEN);
    return states.get(slot) != CLOSED;
  }

  /** Closes a watched slot; false if a change has passed since the watch began. */
  public boolean close(int slot) {
    return states.compareAndSet(slot, WATCHED, CLOSED);
  }

  /** Lets calls into a slot again. */
  public void open(int slot) {
    states.set(slot, OPEN);
  }

  boolean isClosed(int slot) {
    return states.get(slot) == CLOSED;
  }
}
