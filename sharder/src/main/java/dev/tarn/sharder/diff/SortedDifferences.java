package dev.tarn.sharder.diff;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.diff.Difference.Kind;
import dev.tarn.sharder.sort.ExternalSort;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.sort.SortedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Differences in an external sort by key. */
final class SortedDifferences implements AutoCloseable {
  private final ExternalSort sort;

  SortedDifferences(SortSpace space) {
    sort = new ExternalSort(space);
  }

  void add(Difference difference) throws IOException {
    byte[] key = MemberNames.encode(difference.key());
    byte[] newKey = MemberNames.encode(difference.newKey());
    ByteBuffer record = ByteBuffer.allocate(key.length + newKey.length + 3);
    record.put(key).put((byte) 0).put(letter(difference.kind()));
    record.put(newKey).put((byte) 0);
    sort.add(record.array(), record.position());
  }

  private static byte letter(Kind kind) {
    return (byte) kind.text().charAt(0);
  }

  private static Kind kind(byte letter) {
    for (Kind kind : Kind.values()) {
      if (letter(kind) == letter) {
        return kind;
      }
    }
    throw new IllegalStateException("no kind of difference begins with " + (char) letter);
  }

  /** Passes on all differences. Must be called once, after the last {@link #add}. */
  void forEach(Consumer<Difference> target) throws IOException {
    SortedRecords records = sort.sorted();
    while (records.next()) {
      int at = records.offset();
      while (records.array()[at] != 0) {
        at++;
      }
      String key = MemberNames.decode(records.array(), records.offset(), at - records.offset());
      Kind kind = kind(records.array()[at + 1]);
      int newKey = at + 2;
      int end = records.offset() + records.length() - 1;
      target.accept(
          new Difference(kind, key, MemberNames.decode(records.array(), newKey, end - newKey)));
    }
  }

  @Override
  public void close() throws IOException {
    sort.close();
  }
}
