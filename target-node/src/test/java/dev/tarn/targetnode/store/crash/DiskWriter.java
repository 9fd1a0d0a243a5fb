package dev.tarn.targetnode.store.crash;

import dev.tarn.targetnode.store.disk.SimulatedDisk;

/** Writes its own keys through the lives of a disk, and knows what each of them may hold. */
interface DiskWriter {
  /**
   * Looks at all keys; what is found is what must be there from now on.
   *
   * @return how many keys could be looked at before the power failed again
   */
  int check(OneDisk node, String when);

  /** Writes until the power fails. */
  void write(OneDisk node, SimulatedDisk disk);

  /** How many operations have been acknowledged in all lives. */
  int acknowledged();

  /** Fails as the writing did, if it did. */
  void rethrow();
}
