package dev.tarn.targetnode.store.index;

import java.io.IOException;

/** The index could not be read or written. It is derived: removed, it is made anew at the start. */
public final class IndexException extends IOException {
  private static final long serialVersionUID = 1;

  public IndexException(String message, Throwable cause) {
    super(message, cause);
  }
}
