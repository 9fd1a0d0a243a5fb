package dev.tarn.targetnode.store;

/**
 * The failure that a commit survives once it is answered. A bucket's setting decides ({@code
 * durability: os} is {@link #SYSTEM}, {@code fsync} is {@link #DEVICE}).
 */
public enum Durability {
  /** A crash of the process: the record is in the operating system's memory. */
  SYSTEM,
  /** A loss of power: the record is on the device. */
  DEVICE,
  /** As {@link #DEVICE}, and the index is durable too, so that replay begins after the record. */
  CHECKPOINT
}
