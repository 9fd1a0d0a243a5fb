package dev.tarn.sharder.sort;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records in memory, stored in chunks of bytes instead of as objects. A record's number is its
 * start position, and no record spans two chunks.
 */
final class RecordBuffer implements SortedRecords {
  private static final int CHUNK_BITS = 20;
  private static final int CHUNK_LENGTH = 1 << CHUNK_BITS;
  static final int LONGEST_RECORD = CHUNK_LENGTH - Integer.BYTES;

  /** Memory of the sort per record, in bytes: its position, and eight of its bytes. */
  private static final int BYTES_PER_RECORD = Integer.BYTES + Long.BYTES;

  private static final int LEAST_CAPACITY = 1024;

  private final long bytesMax;
  private final List<ByteBuffer> chunks = new ArrayList<>();
  private int[] records = new int[LEAST_CAPACITY];
  private int count;
  private int chunk = -1;
  private int used = CHUNK_LENGTH;
  private int next;

  /**
   * @param bytesMax maximum memory in bytes, from 2 MiB to 1 GiB; other values are clamped
   */
  RecordBuffer(long bytesMax) {
    this.bytesMax = Math.clamp(bytesMax, 2L * CHUNK_LENGTH, 1L << 30);
  }

  /** Adds a record; returns false if the buffer is full. */
  boolean add(byte[] bytes, int length) {
    int taken = length + Integer.BYTES;
    if (CHUNK_LENGTH - used < taken) {
      long wanted = (chunk + 2L) * CHUNK_LENGTH + (long) BYTES_PER_RECORD * count;
      if (count > 0 && wanted > bytesMax) {
        return false;
      }
      chunk++;
      used = 0;
      if (chunk == chunks.size()) {
        chunks.add(ByteBuffer.allocate(CHUNK_LENGTH));
      }
    }
    if (count == records.length) {
      records = Arrays.copyOf(records, count + (count >> 1));
    }
    chunks.get(chunk).putInt(used, length).put(used + Integer.BYTES, bytes, 0, length);
    records[count++] = chunk << CHUNK_BITS | used;
    used += taken;
    return true;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Sorts the records; they can then be read once. */
  void sort() {
    new RecordSort(this, records, count).sort();
    next = 0;
  }

  void clear() {
    count = 0;
    chunk = -1;
    used = CHUNK_LENGTH;
  }

  byte[] array(int record) {
    return chunks.get(record >>> CHUNK_BITS).array();
  }

  static int offset(int record) {
    return (record & (CHUNK_LENGTH - 1)) + Integer.BYTES;
  }

  int length(int record) {
    return chunks.get(record >>> CHUNK_BITS).getInt(record & (CHUNK_LENGTH - 1));
  }

  /** Returns eight bytes as a big-endian number; zeros follow the record's end. */
  long word(int record, int depth) {
    ByteBuffer bytes = chunks.get(record >>> CHUNK_BITS);
    int start = record & (CHUNK_LENGTH - 1);
    int left = bytes.getInt(start) - depth;
    int offset = start + Integer.BYTES + depth;
    if (left >= Long.BYTES) {
      return bytes.getLong(offset);
    }
    long word = 0;
    for (int i = 0; i < left; i++) {
      word |= (bytes.get(offset + i) & 0xffL) << (56 - 8 * i);
    }
    return word;
  }

  @Override
  public boolean next() {
    next++;
    return next <= count;
  }

  @Override
  public byte[] array() {
    return array(records[next - 1]);
  }

  @Override
  public int offset() {
    return offset(records[next - 1]);
  }

  @Override
  public int length() {
    return length(records[next - 1]);
  }
}
