package dev.tarn.targetnode.store.record;

/**
 * Bytes whose checksum holds are no record that this program knows: a defect, or a newer writer.
 */
public final class MalformedRecordException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MalformedRecordException(Exception cause) {
    super(cause.getMessage(), cause);
  }
}
