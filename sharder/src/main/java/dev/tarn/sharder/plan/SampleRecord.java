package dev.tarn.sharder.plan;

import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.sort.GrowingBytes;
import dev.tarn.sharder.source.SourceFile;

/**
 * The record of a member in the sort. The bytes of a record give its order:
 *
 * <ol>
 *   <li>the number of the sample's set of shards (2 bytes)
 *   <li>the sample's place in its set (8 bytes; absent if samples are ordered by key)
 *   <li>the key, then the extension in lower case, each followed by a zero
 *   <li>the member's place in the sources (8 bytes): of two files for one member, the first sorts
 *       first
 *   <li>the payload
 * </ol>
 *
 * <p>Names have no zeros, so records compare like names, and no record is a prefix of another.
 *
 * <p>In the order of the sources, the place of a sample is the place of its first member. That
 * place is known only when all its members are together. Such records are first sorted by key;
 * {@link SourceOrder} then adds the place and sorts again.
 */
final class SampleRecord {
  private static final int SEQUENCE_BITS = 48;

  private SampleRecord() {}

  /**
   * The place of a file.
   *
   * @param source its number
   * @param listed the file's number in its source, from 1; 0 if the source is unordered
   */
  record SourcePosition(int source, long listed) {
    /** Marks the position of a file that a line of a list names. */
    private static final long OF_LINE = 1L << (SEQUENCE_BITS - 1);

    private static final int OF_LINE_BITS = 10;

    /**
     * @param number the file's number among those of the line, from 0
     */
    static SourcePosition ofLine(int source, long line, int number) {
      int within = Math.min(number, (1 << OF_LINE_BITS) - 1);
      return new SourcePosition(source, OF_LINE | line << OF_LINE_BITS | within);
    }

    /** Returns the line of a list in a position's number; 0 if it has none. */
    static long line(long number) {
      return (number & OF_LINE) == 0 ? 0 : (number & (OF_LINE - 1)) >>> OF_LINE_BITS;
    }

    long number() {
      return (long) source << SEQUENCE_BITS | listed;
    }
  }

  static void put(
      GrowingBytes record,
      PlanOptions options,
      int set,
      MemberName name,
      SourcePosition place,
      SourceFile file) {
    begin(record, options, set, name.bytes(), name.keyLength(), name.extension());
    record.putLong(place.number());
    MemberPayload.put(record, place.source(), name, file);
  }

  /**
   * Writes a member of the dataset that the plan appends to; it never determines a sample's place.
   */
  static void putExisting(
      GrowingBytes record, PlanOptions options, int set, byte[] key, byte[] extension, long size) {
    begin(record, options, set, key, key.length, extension);
    record.putLong(Long.MAX_VALUE);
    MemberPayload.putExisting(record, size);
  }

  private static void begin(
      GrowingBytes record,
      PlanOptions options,
      int set,
      byte[] name,
      int keyLength,
      byte[] extension) {
    record.clear();
    record.putShort(set);
    if (options.order().kind() == Order.Kind.SHUFFLE) {
      record.putLong(options.order().place(name, keyLength));
    }
    putName(record, name, keyLength, extension);
  }

  private static void putName(GrowingBytes record, byte[] name, int keyLength, byte[] extension) {
    record.put(name, 0, keyLength);
    record.put(0);
    record.put(extension);
    record.put(0);
  }

  /** Writes a record that has its sample's place. */
  static void putPlaced(
      GrowingBytes record,
      int set,
      long place,
      byte[] key,
      byte[] extension,
      long memberPlace,
      byte[] payload) {
    record.clear();
    record.putShort(set);
    record.putLong(place);
    putName(record, key, key.length, extension);
    record.putLong(memberPlace);
    record.put(payload);
  }

  /** Returns the number of bytes before the key of a record in the final sort. */
  static int keyStart(PlanOptions options) {
    return options.order().kind() == Order.Kind.KEY ? Short.BYTES : Short.BYTES + Long.BYTES;
  }
}
