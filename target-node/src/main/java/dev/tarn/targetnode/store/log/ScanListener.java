package dev.tarn.targetnode.store.log;

/** Told of what a scan of a segment finds, in the order of the bytes. */
public interface ScanListener {
  /**
   * A record.
   *
   * @param sequence its sequence
   * @param entry its bytes, which may be kept
   * @param intact whether the payload is what was written; of a damaged payload that was promised
   *     to be durable the listener is told, of another not
   */
  void record(RecordLocation location, long sequence, byte[] entry, boolean intact);

  /** A record says that all up to this sequence was on the device before it was written. */
  default void promised(long sequence) {}

  /** A record whose payload is not what was written, of which nothing was promised. */
  default void unpromised(byte[] entry) {}

  /** Bytes that are no record, though what stood there was promised to be durable. */
  default void damage(long segment, long fromOffset, long toOffset) {}
}
