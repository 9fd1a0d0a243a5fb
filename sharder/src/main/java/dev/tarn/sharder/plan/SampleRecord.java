package dev.tarn.sharder.plan;

import dev.tarn.sharder.source.SourceFile;
import java.util.Arrays;

/**
 * What is sorted: of each member a record whose bytes order it. The sample's place in a shuffle (8
 * bytes, if there is one), the key and the extension in lower case, each closed by a zero, then the
 * payload. Names hold no zeros, so bytes compare as the names do, and no record begins another.
 */
final class SampleRecord {
  private SampleRecord() {}

  static void put(
      GrowingBytes record,
      PlanOptions options,
      byte[] member,
      int keyLength,
      byte[] extension,
      int source,
      SourceFile file) {
    record.clear();
    if (options.order().kind() == Order.Kind.SHUFFLE) {
      record.putLong(options.order().place(Arrays.copyOf(member, keyLength)));
    }
    record.put(member, 0, keyLength);
    record.put(0);
    record.put(extension);
    record.put(0);
    MemberPayload.put(record, source, member, keyLength, extension, file);
  }

  /** How many bytes stand before the key. */
  static int keyStart(PlanOptions options) {
    return options.order().kind() == Order.Kind.SHUFFLE ? Long.BYTES : 0;
  }
}
