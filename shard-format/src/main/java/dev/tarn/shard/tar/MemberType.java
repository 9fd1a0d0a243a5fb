package dev.tarn.shard.tar;

/** What a member of an archive is. */
public enum MemberType {
  REGULAR,
  DIRECTORY,
  HARD_LINK,
  SYMBOLIC_LINK,
  /** Devices, pipes, volume labels and what vendors added. */
  OTHER
}
