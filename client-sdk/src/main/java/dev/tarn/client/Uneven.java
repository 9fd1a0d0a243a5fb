package dev.tarn.client;

/** The treatment of samples that cannot be divided equally among all ranks. */
public enum Uneven {
  /** The last samples of the epoch, fewer than ranks, are left out. */
  DROP,
  /** The first samples of the epoch are repeated at the end of the last ranks' parts. */
  PAD
}
