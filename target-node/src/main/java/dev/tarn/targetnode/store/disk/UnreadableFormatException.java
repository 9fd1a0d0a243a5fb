package dev.tarn.targetnode.store.disk;

import java.io.IOException;

/** This program cannot read a file. The message names the file and what was expected. */
public final class UnreadableFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  public enum Reason {
    /** A release with another format wrote the file: do not touch it. */
    OTHER_RELEASE,
    /** The bytes are not what was written. */
    DAMAGED
  }

  public UnreadableFormatException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
