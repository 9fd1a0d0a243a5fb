package dev.tarn.sharder.diff;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.diff.Difference.Kind;
import dev.tarn.sharder.sort.ExternalSort;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.sort.SortedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The samples that only one dataset has, in an external sort by digest. A digest on both sides is a
 * moved sample; the others were removed or added.
 */
final class LoneSamples implements AutoCloseable {
  private static final int DIGEST_BYTES = 32;

  /**
   * Maximum number of keys in memory with the same data; further ones count as removed and added.
   */
  private static final int KEYS_MAX = 100_000;

  /** Receives each difference. */
  interface Target {
    void accept(Difference difference) throws IOException;
  }

  private final ExternalSort sort;

  LoneSamples(SortSpace space) {
    sort = new ExternalSort(space);
  }

  void add(Side side, byte[] digest, String key) throws IOException {
    byte[] name = MemberNames.encode(key);
    ByteBuffer record = ByteBuffer.allocate(DIGEST_BYTES + 1 + name.length + 1);
    record.put(digest).put(side.mark()).put(name).put((byte) 0);
    sort.add(record.array(), record.position());
  }

  /** Compares both sides. Must be called once, after the last {@link #add}. */
  void compare(Target target) throws IOException {
    SortedRecords records = sort.sorted();
    byte[] digest = {};
    Deque<String> removed = new ArrayDeque<>();
    while (records.next()) {
      int keyStart = records.offset() + DIGEST_BYTES + 1;
      byte[] next = Arrays.copyOfRange(records.array(), records.offset(), keyStart - 1);
      boolean isOld = records.array()[keyStart - 1] == Side.OLD.mark();
      String key =
          MemberNames.decode(records.array(), keyStart, records.length() - DIGEST_BYTES - 2);
      if (!Arrays.equals(digest, next)) {
        flush(removed, target);
        digest = next;
      }
      if (isOld && removed.size() < KEYS_MAX) {
        removed.addLast(key);
      } else if (isOld) {
        target.accept(new Difference(Kind.REMOVED, key, key));
      } else if (removed.isEmpty()) {
        target.accept(new Difference(Kind.ADDED, key, key));
      } else {
        target.accept(new Difference(Kind.MOVED, removed.removeFirst(), key));
      }
    }
    flush(removed, target);
  }

  private static void flush(Deque<String> removed, Target target) throws IOException {
    for (String key : removed) {
      target.accept(new Difference(Kind.REMOVED, key, key));
    }
    removed.clear();
  }

  @Override
  public void close() throws IOException {
    sort.close();
  }
}
