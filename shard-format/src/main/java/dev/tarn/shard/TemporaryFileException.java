package dev.tarn.shard;

import java.io.IOException;

/** A temporary file failed; the data that is being read is not the cause. */
public final class TemporaryFileException extends IOException {
  private static final long serialVersionUID = 1L;

  TemporaryFileException(String message, IOException cause) {
    super(message, cause);
  }
}
