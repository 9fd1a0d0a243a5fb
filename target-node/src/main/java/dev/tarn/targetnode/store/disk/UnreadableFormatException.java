package dev.tarn.targetnode.store.disk;

import java.io.IOException;

/** A file that this program cannot read. The message names it and what would be right. */
public final class UnreadableFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** Why it cannot be read. */
  public enum Reason {
    /** A release of another format wrote it: leave it alone. */
    OTHER_RELEASE,
    /** Its bytes are not what was written. */
    DAMAGED
  }

  public UnreadableFormatException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why it cannot be read. */
  public Reason reason() {
    return reason;
  }
}
