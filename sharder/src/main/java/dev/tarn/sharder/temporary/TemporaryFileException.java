package dev.tarn.sharder.temporary;

import java.io.IOException;

/** A temporary file cannot be kept, which is not the fault of what is read meanwhile. */
public final class TemporaryFileException extends IOException {
  private static final long serialVersionUID = 1L;

  TemporaryFileException(String message, IOException cause) {
    super(message, cause);
  }
}
