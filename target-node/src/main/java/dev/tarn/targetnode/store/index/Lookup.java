package dev.tarn.targetnode.store.index;

/** What a lookup that must not wait for the device came to. */
public sealed interface Lookup {
  /** The newest version of the name. */
  record Found(IndexEntry entry) implements Lookup {}

  /** There is none. */
  record Missing() implements Lookup {}

  /** The index would have to read from the device. */
  record WouldWait() implements Lookup {}
}
