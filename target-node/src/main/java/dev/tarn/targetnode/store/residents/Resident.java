package dev.tarn.targetnode.store.residents;

/**
 * An entry that the cache has.
 *
 * @param id of the entry
 * @param bytes on the disk, at least 1
 * @param segment the log's segment that has its record; {@link #NO_SEGMENT} if it is a file
 * @param bucket the number of the use of its bucket, 0 if it is not known
 */
public record Resident(long id, int bytes, int segment, int bucket, Use use) {
  /** No segment has the entry. */
  public static final int NO_SEGMENT = 0;

  /** Whether a record of the log has its bytes. */
  public boolean isInLog() {
    return segment != NO_SEGMENT;
  }
}
