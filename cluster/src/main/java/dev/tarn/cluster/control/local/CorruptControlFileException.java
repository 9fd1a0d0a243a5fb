package dev.tarn.cluster.control.local;

import java.io.IOException;
import java.nio.file.Path;

/** A file of the control plane is damaged: continuing would lose acknowledged changes. */
public final class CorruptControlFileException extends IOException {
  private static final long serialVersionUID = 1;

  CorruptControlFileException(Path file, String problem) {
    super(file + " " + problem);
  }
}
