package dev.tarn.targetnode.store.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Records of one batch, laid out as they will be written. For one thread. */
public final class LogBatch {
  private final ByteBuffer buffer;
  private long segment;
  private long start;
  private long sequence;
  private long durableSequence;

  LogBatch(int bytesMax) {
    this.buffer = ByteBuffer.allocateDirect(bytesMax);
  }

  void begin(LogPosition tail, long durable) {
    buffer.clear();
    segment = tail.segment();
    start = tail.offset();
    sequence = tail.sequence();
    durableSequence = durable;
  }

  /** Whether a record of these lengths still fits. */
  public boolean fits(int entryLength, int payloadLength) {
    return RecordHeader.paddedLength(entryLength, payloadLength) <= buffer.remaining();
  }

  /** Adds a record, which must fit, and returns where it will be. */
  public RecordLocation add(byte[] entry, ByteBuffer payload) {
    int payloadLength = payload.remaining();
    int at = buffer.position();
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    var location =
        new RecordLocation(segment, start + at, entry.length, payloadLength, (int) crc.getValue());
    buffer.put(at + RecordHeader.LENGTH, entry);
    sequence++;
    new RecordHeader(
            segment, sequence, durableSequence, entry.length, payloadLength, location.payloadCrc())
        .write(buffer);
    buffer.position(at + RecordHeader.LENGTH + entry.length).put(payload.duplicate());
    while (buffer.position() % RecordHeader.ALIGNMENT != 0) {
      buffer.put((byte) 0);
    }
    return location;
  }

  /** Whether the batch has no records. */
  public boolean isEmpty() {
    return buffer.position() == 0;
  }

  /** The end of the log after this batch. */
  public LogPosition end() {
    return new LogPosition(segment, start + buffer.position(), sequence);
  }

  ByteBuffer bytes() {
    return buffer.duplicate().flip();
  }

  long start() {
    return start;
  }
}
