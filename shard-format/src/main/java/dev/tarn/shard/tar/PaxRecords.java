package dev.tarn.shard.tar;

import dev.tarn.shard.name.MemberNames;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the records {@code LENGTH KEY=VALUE\n} of a PAX header; only three kinds are used. */
final class PaxRecords {
  private static final String SPARSE = "GNU.sparse.";

  private PaxRecords() {}

  /**
   * Puts path, size and any mark of a sparse member into {@code target}; an empty value removes the
   * key.
   *
   * @return the problem of the records; null if they are valid
   */
  static @Nullable String parse(ByteBuffer records, Map<String, String> target) {
    while (records.hasRemaining()) {
      int start = records.position();
      int length = length(records);
      int end = start + length;
      if (end <= records.position() || end > records.limit() || records.get(end - 1) != '\n') {
        return "PAX record at byte "
            + start
            + " of its header does not have the length that it states";
      }
      byte[] record = new byte[end - 1 - records.position()];
      records.get(record).position(end);
      int equals = 0;
      while (equals < record.length && record[equals] != '=') {
        equals++;
      }
      if (equals == record.length) {
        return "PAX record at byte " + start + " of its header has no '='";
      }
      String key = MemberNames.decode(record, 0, equals);
      boolean isSparse = key.startsWith(SPARSE);
      if (key.equals("path") || key.equals("size") || isSparse) {
        String value = MemberNames.decode(record, equals + 1, record.length - equals - 1);
        if (isSparse) {
          // One entry represents all sparse keys.
          if (!value.isEmpty()) {
            target.put(SPARSE, "");
          }
        } else if (value.isEmpty()) {
          target.remove(key);
        } else {
          target.put(key, value);
        }
      }
    }
    return null;
  }

  /** Reads the decimal length and the space after it; returns 0 if it is invalid. */
  private static int length(ByteBuffer records) {
    int length = 0;
    while (records.hasRemaining() && length < Integer.MAX_VALUE / 10 - 1) {
      byte digit = records.get();
      if (digit == ' ') {
        return records.hasRemaining() ? length : 0;
      }
      if (digit < '0' || digit > '9') {
        return 0;
      }
      length = length * 10 + (digit - '0');
    }
    return 0;
  }

  static boolean isSparse(Map<String, String> records) {
    return records.containsKey(SPARSE);
  }
}
