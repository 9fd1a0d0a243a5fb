package dev.tarn.cluster.control.local;

import java.io.IOException;
import java.nio.file.Path;

/** A file of the control plane holds what it must not: starting on would lose what was agreed. */
public final class CorruptControlFileException extends IOException {
  private static final long serialVersionUID = 1;

  CorruptControlFileException(Path file, String problem) {
    super(file + " " + problem);
  }
}
