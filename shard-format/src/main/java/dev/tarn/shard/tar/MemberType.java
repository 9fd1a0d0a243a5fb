package dev.tarn.shard.tar;

/** The type of an archive member. */
public enum MemberType {
  REGULAR,
  DIRECTORY,
  HARD_LINK,
  SYMBOLIC_LINK,
  /** Devices, pipes, volume labels and vendor extensions. */
  OTHER
}
