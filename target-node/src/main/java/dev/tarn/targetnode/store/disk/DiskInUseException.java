package dev.tarn.targetnode.store.disk;

import java.io.IOException;

/** Another process or store has the disk open. Two writers would destroy each other's records. */
public final class DiskInUseException extends IOException {
  private static final long serialVersionUID = 1;

  DiskInUseException(String disk) {
    super(
        "disk "
            + disk
            + " is in use by another process; a disk belongs to one node: end that process, or give"
            + " this node a directory of its own");
  }
}
