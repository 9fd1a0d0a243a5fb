package dev.tarn.sharder.plan;

import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.source.SourceFile;

/**
 * What is sorted: of each member a record whose bytes order it. The number of the sample's set of
 * shards (2 bytes); its place among the set's samples (8 bytes, unless the key alone is the place);
 * the key and the extension in lower case, each closed by a zero; the member's own place in the
 * sources (8 bytes), so that of two files for one member the first comes first; then the payload.
 * Names hold no zeros, so bytes compare as the names do, and no record begins another.
 *
 * <p>In the order of the sources a sample's place is that of its first member, which is known only
 * when its members are together. So they are sorted by key, and {@link SourceOrder} sorts them once
 * more.
 */
final class SampleRecord {
  private static final int SEQUENCE_BITS = 48;

  private SampleRecord() {}

  /**
   * Where a file stands.
   *
   * @param source its number
   * @param listed how many the source listed up to it; 0 if the source has no order
   */
  record Place(int source, long listed) {
    long number() {
      return (long) source << SEQUENCE_BITS | listed;
    }
  }

  static void put(
      GrowingBytes record,
      PlanOptions options,
      int set,
      MemberName name,
      Place place,
      SourceFile file) {
    begin(record, options, set, name.bytes(), name.keyLength(), name.extension());
    record.putLong(place.number());
    MemberPayload.put(record, place.source(), name, file);
  }

  /** Puts a member of the dataset that the plan adds to; it never decides a sample's place. */
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

  /** Puts a record that has its sample's place. */
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

  /** How many bytes stand before the key of a record in its last order. */
  static int keyStart(PlanOptions options) {
    return options.order().kind() == Order.Kind.KEY ? Short.BYTES : Short.BYTES + Long.BYTES;
  }
}
