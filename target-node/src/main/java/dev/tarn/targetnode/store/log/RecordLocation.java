package dev.tarn.targetnode.store.log;

/**
 * The location of a record.
 *
 * @param segment the segment's number
 * @param offset of the record's header in the segment
 * @param entryLength the bytes of the entry, which follow the header
 * @param payloadLength the bytes of the payload, which follow the entry
 * @param payloadCrc the CRC32C of the payload
 */
public record RecordLocation(
    long segment, long offset, int entryLength, int payloadLength, int payloadCrc) {
  public RecordLocation {
    if (segment < 0 || offset < 0 || entryLength < 0 || payloadLength < 0) {
      throw new IllegalArgumentException(
          "record in segment "
              + segment
              + " at "
              + offset
              + " has lengths "
              + entryLength
              + " and "
              + payloadLength
              + ", none may be negative");
    }
  }

  /** The offset of the payload in the segment. */
  public long payloadOffset() {
    return offset + RecordHeader.LENGTH + entryLength;
  }

  /** The number of bytes that the record takes in the segment, with padding. */
  public long recordLength() {
    return RecordHeader.paddedLength(entryLength, payloadLength);
  }

  /** The offset of the next record in the segment. */
  public long end() {
    return offset + recordLength();
  }
}
