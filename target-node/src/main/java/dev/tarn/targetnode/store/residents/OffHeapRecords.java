package dev.tarn.targetnode.store.residents;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An array of records of one length, off the heap. The garbage collector frees its memory. */
final class OffHeapRecords {
  private final MemorySegment memory;
  private final int recordBytes;
  private final int capacity;

  /** Records whose bytes are all 0. */
  OffHeapRecords(int capacity, int recordBytes) {
    this.capacity = capacity;
    this.recordBytes = recordBytes;
    this.memory = Arena.ofAuto().allocate((long) capacity * recordBytes, Long.BYTES);
  }

  int capacity() {
    return capacity;
  }

  long bytes() {
    return memory.byteSize();
  }

  long getLong(int record, int offset) {
    return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) record * recordBytes + offset);
  }

  void setLong(int record, int offset, long value) {
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) record * recordBytes + offset, value);
  }

  int getInt(int record, int offset) {
    return memory.get(ValueLayout.JAVA_INT, (long) record * recordBytes + offset);
  }

  void setInt(int record, int offset, int value) {
    memory.set(ValueLayout.JAVA_INT, (long) record * recordBytes + offset, value);
  }

  /** Copies a record within the array. */
  void copy(int from, int to) {
    MemorySegment.copy(
        memory, (long) from * recordBytes, memory, (long) to * recordBytes, recordBytes);
  }

  /** Copies the first records to a larger array. */
  void copyTo(OffHeapRecords larger, int count) {
    MemorySegment.copy(memory, 0, larger.memory, 0, (long) count * recordBytes);
  }
}
