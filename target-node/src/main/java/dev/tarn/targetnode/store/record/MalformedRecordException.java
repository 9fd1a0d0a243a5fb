package dev.tarn.targetnode.store.record;

/**
 * Bytes with a valid checksum are not a record that this program knows: a defect, or a newer
 * release wrote them.
 */
public final class MalformedRecordException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MalformedRecordException(Exception cause) {
    super(cause.getMessage(), cause);
  }

  /** Names what is malformed. */
  public MalformedRecordException(String what, Exception cause) {
    super(what + ": " + cause.getMessage(), cause);
  }
}
