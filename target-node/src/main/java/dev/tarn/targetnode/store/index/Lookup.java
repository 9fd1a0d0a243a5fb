package dev.tarn.targetnode.store.index;

/** The result of a look-up that must not wait for the device. */
public sealed interface Lookup {
  /** The newest version of the name. */
  record Found(IndexEntry entry) implements Lookup {}

  /** The name has no version. */
  record Missing() implements Lookup {}

  /** The index would have to read from the device. */
  record WouldWait() implements Lookup {}
}
