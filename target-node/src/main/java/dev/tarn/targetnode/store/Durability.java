package dev.tarn.targetnode.store;

/** What a commit survives once it is answered. */
public enum Durability {
  /** The end of the process: the record is in the operating system's memory. */
  SYSTEM,
  /** The loss of power: the record is on the device. */
  DEVICE,
  /** As {@link #DEVICE}, and the index is too, so that replay begins behind it. */
  CHECKPOINT
}
