package dev.tarn.targetnode.store.log;

/** Receives what a scan of a segment finds, in byte order. */
public interface ScanListener {
  /**
   * A record.
   *
   * @param sequence its sequence
   * @param entry its bytes, which may be kept
   * @param intact false if the payload is damaged although the record was acknowledged as durable;
   *     other records with a damaged payload go to {@link #unpromised}
   */
  void record(RecordLocation location, long sequence, byte[] entry, boolean intact);

  /**
   * Called with the durable sequence of each record: all records up to it were on the device before
   * this record was written.
   */
  default void promised(long sequence) {}

  /** A record whose payload is damaged and which was perhaps never acknowledged as durable. */
  default void unpromised(RecordLocation location, byte[] entry) {}

  /** Bytes that are not a record, although a record there was acknowledged as durable. */
  default void damage(long segment, long fromOffset, long toOffset) {}
}
